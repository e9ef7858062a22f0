const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** Pages of the site, by which the calls name what they show; that of a case in the console names its thing. */
const pages = [
  { kind: 'comment:', page: new RegExp(`/videoplayer\\?[^#]*#(${uuid})`) },
  { kind: 'reel:', page: new RegExp(`/videoplayer\\?(?:.*&)?reel=(${uuid})`) },
  { kind: 'reel:', page: new RegExp(`/embed/(${uuid})`) },
  { kind: 'post:', page: new RegExp(`/post/(${uuid})`) },
  { kind: 'person:', page: new RegExp(`/user/(${uuid})`) },
  { kind: '', page: new RegExp(`/Console\\?(?=.*\\bpart=reports\\b)(?:.*&)?case=(${uuid})`) },
];
const named = new RegExp(`^(?:reel|post|story|comment|person):${uuid}$`);

/** What an address of the site shows, as the calls name it; undefined for other addresses. It may be entered as `kind:id`, too. */
export function targetOf(entered: string): string | undefined {
  const address = entered.trim();
  if (named.test(address)) return address;
  for (const { kind, page } of pages) {
    const [, id] = page.exec(address) ?? [];
    if (id) return `${kind}${id}`;
  }
  return undefined;
}
