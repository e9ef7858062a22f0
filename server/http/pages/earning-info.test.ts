import { DomUtils, parseDocument } from 'htmlparser2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findOlderAppsUntil } from '#server/features/views/older-apps.ts';
import { startTestServer, type TestServer } from '#testing/servers/test-server.ts';
import { loadSite } from './page-renderer.ts';

let server: TestServer;
let mailing: TestServer;
beforeAll(async () => {
  const site = await loadSite();
  server = await startTestServer({}, { site });
  mailing = await startTestServer(
    { SMTP_URL: 'smtp://127.0.0.1:9', ORIGIN: 'https://jhalak.example' },
    { site },
  );
});
afterAll(async () => {
  await server?.close();
  await mailing?.close();
});

const page = async (lang: string, of = server) =>
  (await of.inject({ url: `/EarningInfo?lang=${lang}` })).body;

/** The sentences of a section, by the heading above them; those without a heading are under ''. */
function sentencesOf(html: string, section: string): Record<string, string[]> {
  const found = DomUtils.getElements({ 'aria-labelledby': section }, parseDocument(html), true);
  const groups: Record<string, string[]> = {};
  let heading = '';
  const elements = DomUtils.getElementsByTagName((name) => /^(h3|li)$/.test(name), found, true);
  for (const element of elements) {
    const text = DomUtils.textContent(element);
    if (DomUtils.getName(element) === 'h3') heading = text;
    else groups[heading] = [...(groups[heading] ?? []), text];
  }
  return groups;
}

const rulesOf = (html: string) => sentencesOf(html, 'earning-rules');

/** The day until which older apps count, as a page writes it. */
async function untilIn(lang: string): Promise<string> {
  const until = (await findOlderAppsUntil(server.db)) ?? new Date();
  const format = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'Asia/Kolkata' } as const;
  return new Intl.DateTimeFormat(`${lang}-IN`, format).format(until);
}

/** Every rule, as the page must say it: a number that changes in contract/earning-rules.ts changes a sentence here. */
const rules: Record<string, (until: string) => Record<string, string[]>> = {
  en: (until) => ({
    '': [
      'Upload 50 short videos and 30 pictures',
      '1 hour daily activity',
      'No policy violation or sexual content',
      'Fan pages allowed',
      'A view counts after 5 seconds.',
      'One viewer counts once a day.',
      "Your own views and bots don't count.",
      'Your first 1,000 views a month always count; more depend on regular viewers.',
      'Copies earn once.',
    ],
    Publications: [
      'The first 50 reels, 30 photo posts and 30 stories of a month pay; more of them are public, but their publication earns nothing.',
      'The publication of a reel under 1 second, or of one still picture, earns nothing.',
      'The same picture or video earns once, whoever publishes it, also if it was mirrored, cropped, trimmed or saved again.',
      'If your own work was taken for a copy, you can ask a person to look.',
      'What looks like content that was taken down is hidden until a person has looked at it.',
      'What you delete in the month of its publication loses its coins, also those of its views and likes; if you delete it later, nothing changes.',
    ],
    'Watched views': [
      'Only watched views pay; Earning History says for each reel how often it was shown and watched, and why views did not count.',
      'A view of a reel counts once it was watched: 5 seconds, or 90% of a shorter reel, played in one showing, with at least 50% of the picture visible in a visible tab.',
      'Stalls and pauses do not count as watching, and what played before them still does.',
      'A watched view must be reported within 10 minutes of its showing.',
      `Older apps do not report views: until ${until}, a showing there to somebody who is logged in counts as watched if their own next one comes between 5 seconds and 10 minutes later.`,
      'A viewer is a person who is logged in, or otherwise a random id that the browser stores, or the name of the browser if it stores none, within a network: one IPv4 address or one IPv6 /64.',
      'A viewer counts once a day for a reel, and 1,000 times a day in all.',
      "The paid seconds of a viewer are never more than the time that passed on the server's clock, so two screens at once count as one.",
      'Showings of one viewer above 60 a minute do not count.',
      'Views by known bots do not count.',
      'Views of a reel that was deleted or taken down, or of a suspended creator, do not count.',
    ],
    'Your own views': [
      'Your own views do not count, nor do views in a browser in which you were logged in within the last 30 days.',
    ],
    Likes: [
      "A person's like of a post counts once, unless it is taken back in the same month; your own likes do not count.",
      'Of each established account 30 likes of your posts count in a month; of all others together the first 250.',
    ],
    'What a month pays': [
      'A month pays your first 1,000 watched views, and 200 more for each established account that watched you in it.',
      'An account that watched many creators lets 20,000 views pay in all, shared equally by these creators.',
      'Views over this limit wait: the person who decides about your withdrawal releases them or declares them void, and says why.',
      'Coins of released views are a line of the month in which they are released.',
      'Void views are a line with a date: those of their coins that count already are taken back, from later months if they were paid.',
      'Once a month you can ask for a look at the views of your finished months that wait.',
      'A month is counted once, a quarter of an hour after its end; what comes later changes nothing in it.',
      'Days and months begin at midnight in the time zone Asia/Kolkata.',
    ],
    'Established accounts': [
      'An account is established in a month if it has at least 10 watched views of 5 creators on 3 days, and is at least 30 days old at the end of the month.',
      'The counting decides: an account that is deleted or suspended then is not established, and what happens to it later changes nothing.',
    ],
  }),
  hi: (until) => ({
    '': [
      '50 छोटे वीडियो और 30 फ़ोटो अपलोड करें',
      'रोज़ 1 घंटे की ऐक्टिविटी',
      'नीति का उल्लंघन या यौन सामग्री नहीं',
      'फ़ैन पेज की अनुमति है',
      '5 सेकंड देखने पर व्यू गिना जाता है।',
      'एक दर्शक दिन में एक बार गिना जाता है।',
      'आपके अपने व्यू और बॉट नहीं गिने जाते।',
      'महीने के पहले 1,000 व्यू हमेशा गिने जाते हैं; उससे ज़्यादा नियमित दर्शकों पर निर्भर हैं।',
      'एक ही वीडियो या फ़ोटो की कमाई एक ही बार होती है।',
    ],
    प्रकाशन: [
      'एक महीने में पहली 50 रीलों, 30 फ़ोटो पोस्ट और 30 स्टोरी के सिक्के मिलते हैं; इनसे ज़्यादा भी सबको दिखती हैं, पर उन्हें प्रकाशित करने के सिक्के नहीं मिलते।',
      '1 सेकंड से छोटी, या एक ही स्थिर फ़ोटो वाली रील प्रकाशित करने के सिक्के नहीं मिलते।',
      'एक फ़ोटो या वीडियो से एक ही बार कमाई होती है, चाहे उसे कोई भी प्रकाशित करे, उलटकर, काटकर, छोटा करके या फिर से सहेजकर भी।',
      'अगर आपकी अपनी रचना को प्रति माना गया, तो आप किसी व्यक्ति से उसे देखने को कह सकते हैं।',
      'जो किसी हटाई गई चीज़ जैसी लगे, वह तब तक छिपी रहती है जब तक कोई व्यक्ति उसे देख न ले।',
      'आप जिस चीज़ को उसके प्रकाशन के महीने में ही हटा दें, उसके सिक्के नहीं मिलते, उसके व्यू और लाइक के भी नहीं; बाद में हटाने से कुछ नहीं बदलता।',
    ],
    'देखे गए व्यू': [
      'सिक्के सिर्फ़ देखे गए व्यू के मिलते हैं; हर रील कितनी बार दिखी, कितनी बार देखी गई और कौन-से व्यू क्यों नहीं गिने गए, यह कमाई के इतिहास में लिखा है।',
      'रील का व्यू तब गिना जाता है जब वह देखी गई हो: एक बार दिखने पर 5 सेकंड, या छोटी रील का 90% हिस्सा, चले, और सामने खुले टैब में वीडियो का कम से कम 50% हिस्सा दिखता रहे।',
      'वीडियो के अटकने या रुकने का समय देखने में नहीं गिना जाता, पर उससे पहले चला हिस्सा गिना जाता है।',
      'देखे गए व्यू की सूचना रील दिखने के 10 मिनट के भीतर मिलनी चाहिए।',
      `पुराने ऐप व्यू की सूचना नहीं देते: ${until} तक वहाँ लॉग इन व्यक्ति को दिखी रील देखी हुई गिनी जाती है, अगर उसे अगली रील कम से कम 5 सेकंड और ज़्यादा से ज़्यादा 10 मिनट बाद दिखे।`,
      'दर्शक वह व्यक्ति है जो लॉग इन है, या बिना लॉग इन के ब्राउज़र में रखी एक रैंडम आईडी, या वह न हो तो ब्राउज़र का नाम, वह भी एक ही नेटवर्क में: एक IPv4 पता या एक IPv6 /64।',
      'एक दर्शक किसी रील के लिए दिन में एक बार गिना जाता है, और कुल मिलाकर दिन में 1,000 बार।',
      'सर्वर की घड़ी से जितना समय बीता हो, किसी दर्शक के उससे ज़्यादा सेकंड के सिक्के नहीं मिलते, इसलिए एक साथ चलती दो स्क्रीन एक ही गिनी जाती हैं।',
      'एक मिनट में किसी दर्शक को 60 से ज़्यादा बार रील दिखे, तो बाकी बार नहीं गिनी जाती।',
      'जाने-पहचाने बॉट के व्यू नहीं गिने जाते।',
      'हटाई गई रील के, और निलंबित क्रिएटर के व्यू नहीं गिने जाते।',
    ],
    'आपके अपने व्यू': ['आपके अपने व्यू नहीं गिने जाते, और उस ब्राउज़र के भी नहीं जिसमें आप पिछले 30 दिनों में लॉग इन थे।'],
    लाइक: [
      'किसी पोस्ट पर एक व्यक्ति का लाइक एक ही बार गिना जाता है, बशर्ते वह उसी महीने वापस न लिया जाए; आपके अपने लाइक नहीं गिने जाते।',
      'हर स्थापित खाते के महीने में आपकी पोस्ट पर 30 लाइक गिने जाते हैं; बाकी सबके मिलाकर पहले 250।',
    ],
    'एक महीने में कितने व्यू के सिक्के मिलते हैं': [
      'एक महीने में आपके पहले 1,000 देखे गए व्यू के सिक्के मिलते हैं, और उस महीने आपको देखने वाले हर स्थापित खाते के लिए 200 और व्यू के।',
      'जिस खाते ने बहुत से क्रिएटर देखे, वह कुल 20,000 व्यू के सिक्के दिलाता है, जो उन क्रिएटरों में बराबर बँटते हैं।',
      'इस सीमा से ज़्यादा व्यू रुके रहते हैं: आपकी निकासी पर फ़ैसला करने वाला व्यक्ति कारण बताकर उन्हें जारी करता है या अमान्य ठहराता है।',
      'जारी किए गए व्यू के सिक्के उस महीने की एक पंक्ति होते हैं जिसमें वे जारी किए गए।',
      'अमान्य व्यू तारीख़ वाली एक पंक्ति होते हैं: उनके जो सिक्के गिने जा चुके हैं वे वापस लिए जाते हैं, भुगतान हो चुका हो तो बाद के महीनों से।',
      'महीने में एक बार आप अपने पूरे हो चुके महीनों के रुके हुए व्यू की जाँच के लिए कह सकते हैं।',
      'हर महीना उसके अंत के पंद्रह मिनट बाद एक बार गिना जाता है; बाद की किसी बात से उसमें कुछ नहीं बदलता।',
      'दिन और महीने समय क्षेत्र Asia/Kolkata की आधी रात से शुरू होते हैं।',
    ],
    'स्थापित खाते': [
      'कोई खाता उस महीने स्थापित है जिसमें उसने कम से कम 10 व्यू देखे हों, 5 क्रिएटरों के और 3 अलग दिनों में, और महीने के अंत में वह कम से कम 30 दिन पुराना हो।',
      'गिनती का समय तय करता है: जो खाता तब हटाया जा चुका हो या निलंबित हो, वह स्थापित नहीं है, और बाद में उसके साथ जो भी हो, उससे कुछ नहीं बदलता।',
    ],
  }),
};

describe.each(['en', 'hi'])('/EarningInfo in %s', (lang) => {
  it('says every rule in one sentence, with the numbers of contract/earning-rules.ts', async () => {
    const expected = rules[lang]?.(await untilIn(lang));
    expect(rulesOf(await page(lang))).toEqual(expected);
    const { '': short = [], ...sentences } = expected ?? {};
    // Four of the specification, five that sum up the others.
    expect(short).toHaveLength(9);
    for (const sentence of Object.values(sentences).flat()) expect(sentence).toMatch(/^[^.।]+[.।]$/);
  });
});

it.each([
  [
    'en',
    'Established accounts',
    [
      'An account is established in a month if it has at least 10 watched views of 5 creators on 3 days, and is at least 7 days old at the end of the month, with a verified email.',
    ],
  ],
  [
    'hi',
    'स्थापित खाते',
    [
      'कोई खाता उस महीने स्थापित है जिसमें उसने कम से कम 10 व्यू देखे हों, 5 क्रिएटरों के और 3 अलग दिनों में, और महीने के अंत में वह कम से कम 7 दिन पुराना हो और उसका ईमेल सत्यापित हो।',
    ],
  ],
])(
  '/EarningInfo in %s of a site with mail asks for a verified address and fewer days',
  async (lang, heading, sentences) => {
    const { [heading]: established } = rulesOf(await page(lang, mailing));
    expect(established).toEqual(expect.arrayContaining(sentences));
    expect(established).toHaveLength(2);
  },
);

it.each([
  [
    'en',
    [
      'You can withdraw a month once it is over.',
      'Minimum withdraw amount: ₹1 or above.',
      'A month under ₹1 is paid with a later one if 5 established accounts watched you in it, or released views count in it.',
    ],
    'This needs about 57 regular viewers. How views are limited',
  ],
  [
    'hi',
    [
      'महीना पूरा होने पर आप उसकी कमाई निकाल सकते हैं।',
      'कम से कम निकासी: ₹1 या ज़्यादा।',
      '₹1 से कम का महीना बाद के किसी महीने के साथ दिया जाता है, अगर उसमें 5 स्थापित खातों ने आपको देखा हो, या उसमें जारी किए गए व्यू गिने जाते हों।',
    ],
    'इसके लिए लगभग 57 नियमित दर्शक चाहिए। व्यू की सीमा कैसे तय होती है',
  ],
])(
  '/EarningInfo in %s says what can be withdrawn, and how many established accounts its example assumes',
  async (lang, withdrawing, assumption) => {
    const html = await page(lang);
    expect(sentencesOf(html, 'withdrawing')).toEqual({ '': withdrawing });
    expect(DomUtils.textContent(parseDocument(html))).toContain(assumption);
  },
);

it.each([
  ['en', 'Older apps do not report views'],
  ['hi', 'पुराने ऐप'],
])(
  '/EarningInfo in %s has the rule for older apps until its date, and not from then on',
  async (lang, words) => {
    const until = (await findOlderAppsUntil(mailing.db)) ?? new Date();
    mailing.now.value = new Date(until.getTime() - 1000);
    await expect.poll(() => page(lang, mailing)).toContain(words);
    mailing.now.value = until;
    await expect.poll(() => page(lang, mailing)).not.toContain(words);
  },
);
