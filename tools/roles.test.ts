import { expect, it } from 'vitest';
import { mayCall, type NeededRole, operatorRoles } from '#contract/roles.ts';
import { endpoints } from '#testing/endpoints.ts';

it('docs/roles.md says by the contract what operators of each role may do; `npx vitest -u` writes it anew', async () => {
  const ofOperators = endpoints.flatMap(({ method, path, summary, access, role }) =>
    access === 'operator' ? [{ name: `${method} ${path}`, summary, role }] : [],
  );
  const order: readonly NeededRole[] = ['any', ...operatorRoles];
  const rows = ofOperators
    .sort(
      (one, other) =>
        order.indexOf(one.role) - order.indexOf(other.role) || one.name.localeCompare(other.name),
    )
    .map(({ name, summary, role }) => {
      const marks = operatorRoles.map((one) => (mayCall(one, role) ? 'yes' : ''));
      return `| ${marks.join(' | ')} | \`${name}\` | ${summary} |`;
    });
  const page = [
    '# Roles of operators',
    '',
    'Generated from the contract: which operator may make which call. All others get 403 with one sentence, and people who are no operators 404.',
    '`npm run admin` is for who owns the machine: it may do everything.',
    '',
    `| ${operatorRoles.join(' | ')} | call | what it does |`,
    `| ${operatorRoles.map(() => '---').join(' | ')} | --- | --- |`,
    ...rows,
    '',
  ];
  await expect(page.join('\n')).toMatchFileSnapshot('../docs/roles.md');
});
