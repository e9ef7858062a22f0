import '../boot/node-settings.ts';

// Imported dynamically, after `node-settings.ts` has run: static imports would be evaluated first.
const { runAdmin } = await import('./run.ts');

const writeTo = (stream: NodeJS.WriteStream) => (text: string) =>
  new Promise<void>((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });

process.exitCode = await runAdmin(process.argv.slice(2), {
  env: process.env,
  write: writeTo(process.stdout),
  complain: writeTo(process.stderr),
});
