import type { Language } from '#contract/languages.ts';
import type { SiteRule } from '#contract/site-rules.ts';

/** The rules of the site in mails, as `web/messages/reports` has them; a test compares the two. */
export const ruleTexts: Record<Language, Record<SiteRule, string>> = {
  en: {
    sexual: 'Nudity and sexual content are not allowed.',
    intimate:
      'Nobody may publish intimate pictures of somebody without their consent, not even pictures that were made or changed by a computer.',
    child_safety: 'Nothing may exploit, sexualise or endanger a child.',
    violence:
      'Violence, cruelty and dangerous acts may not be shown for pleasure, and nobody may call for them.',
    hate: 'Nobody may be attacked for their religion, caste, origin, gender, disability or whom they love.',
    harassment: 'Nobody may be threatened, bullied or pursued.',
    spam: 'Spam, fraud, deception and artificial views, likes or followers are not allowed.',
    copied: 'You may publish only what is yours, or what its owner allows you to publish.',
    illegal_goods:
      'Nobody may offer what the law forbids or restricts, such as drugs, weapons, gambling, and stolen or forged goods.',
    impersonation: 'Nobody may pretend to be another person, a company or an authority.',
    privacy:
      'Private data of others, such as addresses, phone numbers and documents, may not be published without their consent.',
    altered: 'What a machine made or altered so that it looks real must say so.',
    order: 'A court or an authority has ordered it.',
  },
  hi: {
    sexual: 'नग्नता और यौन सामग्री की इजाज़त नहीं है।',
    intimate:
      'किसी के निजी पलों की फ़ोटो उनकी मर्ज़ी के बिना डालने की इजाज़त नहीं है, चाहे वे कंप्यूटर से बनाई या बदली गई हों।',
    child_safety: 'ऐसी किसी चीज़ की इजाज़त नहीं है जो किसी बच्चे का शोषण करे, उसे यौन रूप में दिखाए या ख़तरे में डाले।',
    violence: 'हिंसा, क्रूरता और ख़तरनाक काम मज़े के लिए दिखाने या उनके लिए उकसाने की इजाज़त नहीं है।',
    hate: 'किसी पर उसके धर्म, जाति, मूल, लिंग, विकलांगता या प्रेम की वजह से हमला करने की इजाज़त नहीं है।',
    harassment: 'किसी को धमकाने, सताने या उसका पीछा करने की इजाज़त नहीं है।',
    spam: 'स्पैम, ठगी, धोखे और नक़ली व्यू, लाइक या फ़ॉलोअर की इजाज़त नहीं है।',
    copied: 'आप केवल वही डाल सकते हैं जो आपका है, या जिसे डालने की इजाज़त उसके मालिक ने दी है।',
    illegal_goods:
      'कानून जिसे मना करता या सीमित करता है, जैसे नशीले पदार्थ, हथियार, जुआ, चोरी का या नक़ली सामान, उसे देने या बेचने की इजाज़त नहीं है।',
    impersonation: 'किसी दूसरे व्यक्ति, कंपनी या सरकारी संस्था का रूप लेने की इजाज़त नहीं है।',
    privacy: 'दूसरों की निजी जानकारी, जैसे पता, फ़ोन नंबर और दस्तावेज़, उनकी मर्ज़ी के बिना डालने की इजाज़त नहीं है।',
    altered: 'जो चीज़ मशीन से इस तरह बनाई या बदली गई हो कि असली लगे, उसमें यह लिखा होना चाहिए।',
    order: 'किसी अदालत या सरकारी संस्था ने इसका आदेश दिया है।',
  },
};
