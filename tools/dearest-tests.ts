import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/*
 * Prints the 30 test files that took the most time, from the JSON report of a run: `node tools/dearest-tests.ts build/test-report.json`.
 */
interface Report {
  testResults: { name: string; startTime: number; endTime: number; assertionResults: unknown[] }[];
}

const [path = 'build/test-report.json'] = process.argv.slice(2);
const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as Report;
const files = testResults
  .map(({ name, startTime, endTime, assertionResults }) => ({
    file: relative(process.cwd(), name),
    seconds: (endTime - startTime) / 1000,
    tests: assertionResults.length,
  }))
  .toSorted((test, other) => other.seconds - test.seconds);
const all = files.reduce((sum, { seconds }) => sum + seconds, 0);

console.log(`${files.length} test files, ${all.toFixed(0)} s of all workers together. The 30 dearest:`);
for (const { file, seconds, tests } of files.slice(0, 30))
  console.log(`${seconds.toFixed(1).padStart(7)} s ${String(tests).padStart(5)} tests  ${file}`);
