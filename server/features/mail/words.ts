import type { Language } from '#contract/languages.ts';
import type { OperatorRole } from '#contract/roles.ts';
import type { Act, Asked } from '#server/platform/outbox.ts';

interface Words {
  greeting: string;
  asked: Record<Asked, { subject: string; lead: string; button: string; rest: string }>;
  /** A code that confirms an act. */
  code: { subject: string; lead: string; rest: string };
  /** The subject of a notice of one act, and its sentence. */
  acts: Record<Act, { subject: string; sentence: string }>;
  manyActs: { subject: string; lead: string };
  roles: Record<OperatorRole, string>;
  /** When an act was done. */
  line: string;
  /** An unknown device or address. */
  unknown: string;
  notYou: string;
  newPassword: string;
  /** Instead of these two, if all notices are about money. */
  history: string;
  /** Below a notice of a decision of operators. */
  decision: string;
  /** Instead of these two, if the address of the account has changed: with and without a link that undoes it. */
  undo: { notYou: string; button: string };
  lostAddress: { notYou: string; button: string };
  footer: string;
  /** Instead, if the account has another address now, or is deleted. */
  lostAddressFooter: string;
}

/**
 * The texts of mails, as whole sentences. `{time}` is replaced by a value. Texts contain no name: a person who signs up with somebody
 * else's address could send them a message through it.
 */
export const words: Record<Language, Words> = {
  en: {
    greeting: 'Hello,',
    asked: {
      reset: {
        subject: 'A new password for Jhalak',
        lead: 'Somebody asked for a new password for the account with this address. Choose one within an hour; the link works once.',
        button: 'Choose a new password',
        rest: 'All devices will be logged out. If you did not ask for this, you need not do anything: your password stays as it is.',
      },
      verify: {
        subject: 'Verify your address for Jhalak',
        lead: 'Please verify that this address is yours. The link works once, for a day, where you are logged in with your password.',
        button: 'Verify my address',
        rest: 'If you have no account at Jhalak, somebody else typed your address. You need not do anything.',
      },
      change: {
        subject: 'Verify your new address for Jhalak',
        lead: 'Please verify that this address is yours; your account gets it then. The link works once, for a day, where you are logged in.',
        button: 'Verify my new address',
        rest: 'If you have no account at Jhalak, somebody else typed your address. You need not do anything.',
      },
    },
    code: {
      subject: 'Your code for Jhalak',
      lead: 'Enter this code where you were asked for it. It works once, for ten minutes:',
      rest: 'If you did not ask for it, somebody else is logged in to your account: choose a new password, and tell nobody this code.',
    },
    acts: {
      password_changed: {
        subject: 'Your Jhalak password was changed',
        sentence: 'The password of your account was changed. All other devices were logged out.',
      },
      password_reset: {
        subject: 'Your Jhalak password was replaced',
        sentence:
          'A new password was chosen for your account by a link that was sent to this address. All devices were logged out.',
      },
      google_linked: {
        subject: 'A Google account was linked to your Jhalak account',
        sentence:
          'The Google account {email} was linked to your account. Whoever holds it can log in with it.',
      },
      google_unlinked: {
        subject: 'A Google account was unlinked from your Jhalak account',
        sentence:
          'The Google account {email} was unlinked from your account. Nobody can log in with it any more.',
      },
      destination_set: {
        subject: 'Where your Jhalak earnings are paid was changed',
        sentence:
          'Your earnings will be paid to {destination}, but not before {until}. If that was not you, remove it before then.',
      },
      destination_removed: {
        subject: 'Where your Jhalak earnings are paid was removed',
        sentence:
          'The UPI id or bank account that your earnings were paid to was removed. Payouts wait until you enter one.',
      },
      destination_dropped: {
        subject: 'Where your Jhalak earnings are paid was removed',
        sentence:
          'With the new password, {destination} was removed as the place where your earnings are paid, since somebody else may have entered it. Payouts wait until you enter a UPI id or bank account.',
      },
      destination_kept: {
        subject: 'Please check where your Jhalak earnings are paid',
        sentence:
          'Your earnings are paid to {destination}, but not before {until}. If that is not yours, remove it before then.',
      },
      destination_needed: {
        subject: 'Your Jhalak withdrawal waits for you',
        sentence: 'Your withdrawal waits until you add a UPI id or a bank account.',
      },
      name_needed: {
        subject: 'Your Jhalak earnings wait for you',
        sentence:
          'We now pay by a service that takes the name of a bank account in Latin letters only (A to Z). Your payouts wait until you enter your account again, with its name as in the passbook.',
      },
      address_needed: {
        subject: 'Your Jhalak withdrawal waits for you',
        sentence: 'Your withdrawal waits until the address of your account is verified.',
      },
      withdrawal_requested: {
        subject: 'You requested a Jhalak withdrawal',
        sentence: 'A withdrawal of ₹{rupees} for {month} was requested. We review it before we pay it.',
      },
      withdrawal_in_review: {
        subject: 'Your Jhalak withdrawal is in review',
        sentence:
          'The withdrawal of ₹{rupees} for {month} waits for nothing more from you. We review it before we pay it.',
      },
      withdrawal_approved: {
        subject: 'Your Jhalak withdrawal was approved',
        sentence: 'The withdrawal of ₹{rupees} for {month} was approved. We pay it next.',
      },
      withdrawal_retried: {
        subject: 'Your Jhalak withdrawal is paid again',
        sentence:
          'An earlier payment of ₹{rupees} for {month} was noted as failed or returned, so we pay it again. If the earlier payment reached you, please contact us.',
      },
      withdrawal_sent: {
        subject: 'Your Jhalak withdrawal is on its way',
        sentence: '₹{rupees} for {month} was sent to {reason}. It can take a few days until it arrives.',
      },
      withdrawal_failed: {
        subject: 'Your Jhalak withdrawal could not be paid',
        sentence:
          '₹{rupees} for {month} could not be paid, and we will try again. Please check where your earnings are paid. What the payer said: {reason}',
      },
      withdrawal_returned: {
        subject: 'A Jhalak payment came back',
        sentence:
          'The payment of ₹{rupees} for {month} came back to us, and we will pay it again. Please check where your earnings are paid. What the payer said: {reason}',
      },
      withdrawal_paid: {
        subject: 'Your Jhalak withdrawal was paid',
        sentence: '₹{rupees} for {month} was paid to you, with the reference {reference}.',
      },
      withdrawal_rejected: {
        subject: 'Your Jhalak withdrawal was not paid',
        sentence:
          'The withdrawal of ₹{rupees} for {month} was not paid. You can request it again. The reason: {reason}',
      },
      withdrawal_cancelled: {
        subject: 'Your Jhalak withdrawal was cancelled',
        sentence:
          'The withdrawal of ₹{rupees} for {month} was cancelled in your account. You can request it again.',
      },
      work_is_own: {
        subject: 'Your work on Jhalak is your own',
        sentence:
          'A person looked at a work of yours that was taken for a copy: it is your own and earns like any other. What it would have earned in earlier months counts in this one. The reason: {reason}',
      },
      work_is_copy: {
        subject: 'Your work on Jhalak stays a copy',
        sentence:
          'A person looked at a work of yours that was taken for a copy: it is a copy of an earlier work and earns nothing. The reason: {reason}',
      },
      work_taken_down: {
        subject: 'Something that you published on Jhalak was taken down',
        sentence:
          'Something that you published was taken down, because it breaks a rule of the site. The rule: {rule} The reason: {reason}',
      },
      work_labelled: {
        subject: 'Something that you published on Jhalak got a label',
        sentence:
          'Something that you published got a label, which all who see it read; it stays public. The rule of the site: {rule} The reason: {reason}',
      },
      account_suspended: {
        subject: 'Your Jhalak account was suspended',
        sentence:
          'Your account was suspended, because it breaks a rule of the site: nobody can log in to it, and nothing of it is public. The rule: {rule} The reason: {reason}',
      },
      account_suspended_until: {
        subject: 'Your Jhalak account was suspended for some time',
        sentence:
          'Your account is suspended until {until}, because it breaks a rule of the site: until then nobody can log in to it, and nothing of it is public. The rule: {rule} The reason: {reason}',
      },
      decision_upheld: {
        subject: 'Your appeal at Jhalak: the decision stays',
        sentence: 'A person has read your appeal: the decision stays as it is. The answer: {reason}',
      },
      decision_reversed: {
        subject: 'Your appeal at Jhalak: the decision was undone',
        sentence:
          'A person has read your appeal: the decision was wrong and was undone. The answer: {reason}',
      },
      month_released: {
        subject: 'Views of your Jhalak reels were released',
        sentence:
          '{views} views of {month} that waited were released. Their {coins} coins count in the month in which they were released. The reason: {reason}',
      },
      month_void: {
        subject: 'Views of your Jhalak reels were declared void',
        sentence:
          '{views} views of {month} are void: nothing is paid for them, and coins that they earned already are taken back. The reason: {reason}',
      },
      passkey_added: {
        subject: 'A passkey was added to your Jhalak account',
        sentence: 'A passkey was added to your account. Whoever has the device can log in with it.',
      },
      passkey_removed: {
        subject: 'A passkey was removed from your Jhalak account',
        sentence: 'A passkey was removed from your account. It logs nobody in any more.',
      },
      account_deleted: {
        subject: 'Your Jhalak account was deleted',
        sentence: 'Your account was deleted, with all that it published.',
      },
      recent_removed: {
        subject: 'What was added to your Jhalak account lately was removed',
        sentence:
          'With the new password, what was added to your account in the seven days before was removed, since somebody else may have added it. Passkeys: {passkeys}; linked Google accounts: {links}; added on {dates}. If it was you, add it again on the page Settings.',
      },
      all_removed: {
        subject: 'What was added to your Jhalak account was removed',
        sentence:
          'A new password was chosen by a link, and until then somebody else may have used your account. So what was added to it was removed. Passkeys: {passkeys}; linked Google accounts: {links}; added on {dates}. If it was you, add it again on the page Settings.',
      },
      factor_set: {
        subject: 'A second factor was set up for your Jhalak account',
        sentence: 'An authenticator app was set up as the second factor of your account.',
      },
      factor_reset: {
        subject: 'The second factor of a Jhalak operator was reset',
        sentence: 'The second factor of the operator {username} was reset on the server.',
      },
      cases_late: {
        subject: 'Reports on Jhalak have passed their deadline',
        sentence: 'Cases whose deadline has passed: {count}. Please decide them in the console.',
      },
      operator_appointed: {
        subject: 'An operator of Jhalak has a new role',
        sentence: '{by} gave {username} the role {role} as an operator of this site.',
      },
      operator_removed: {
        subject: 'Jhalak has one operator less',
        sentence: '{username} is no longer an operator of this site. This was done by {by}.',
      },
      recovery_code_used: {
        subject: 'A recovery code of your Jhalak account was used',
        sentence: 'A recovery code was used instead of the code of your authenticator app.',
      },
      new_device: {
        subject: 'A new device logged in to your Jhalak account',
        sentence:
          'Your account was logged in to on a device, or in a network, that it was not used with lately: {device}.',
      },
      email_changed: {
        subject: 'The address of your Jhalak account was changed',
        sentence: 'Your account was given another address. Our mails go there from now on.',
      },
      email_restored: {
        subject: 'The address of your Jhalak account was changed back',
        sentence:
          'Your account has its old address again, by a link that was sent there. All devices were logged out.',
      },
      address_verified: {
        subject: 'The address of your Jhalak account was verified',
        sentence: 'An operator of the site marked the address of your account as verified.',
      },
      reset_link_made: {
        subject: 'A link for a new Jhalak password was handed out',
        sentence:
          'An operator of the site handed out a link by which a new password can be chosen for your account, within an hour.',
      },
    },
    manyActs: {
      subject: 'Changes to your Jhalak account',
      lead: 'This was changed in your account:',
    },
    roles: { moderator: 'moderator', payer: 'payer', administrator: 'administrator' },
    line: '{time}: {sentence}',
    unknown: 'unknown',
    notYou: 'If that was not you, choose a new password at once; this logs out all devices.',
    newPassword: 'Choose a new password',
    history: 'Your earning history',
    decision: 'Read the decision',
    undo: {
      notYou:
        'If that was not you, take your account back within a week: choose a new password by this link. Your account gets this address back, and all devices are logged out.',
      button: 'Undo the change',
    },
    lostAddress: { notYou: 'If that was not you, please write to us.', button: 'Write to us' },
    footer: 'You get this mail because {origin} has an account with your address.',
    lostAddressFooter: 'You get this mail because {origin} had an account with your address.',
  },
  hi: {
    greeting: 'नमस्ते,',
    asked: {
      reset: {
        subject: 'झलक के लिए नया पासवर्ड',
        lead: 'किसी ने इस पते वाले खाते के लिए नया पासवर्ड माँगा है। एक घंटे के अंदर नया पासवर्ड चुनें; यह लिंक एक ही बार काम करता है।',
        button: 'नया पासवर्ड चुनें',
        rest: 'सभी डिवाइस लॉग आउट हो जाएँगे। अगर आपने यह नहीं माँगा था, तो कुछ करने की ज़रूरत नहीं है: आपका पासवर्ड वही रहेगा।',
      },
      verify: {
        subject: 'झलक के लिए अपना पता सत्यापित करें',
        lead: 'कृपया सत्यापित करें कि यह पता आपका है। लिंक एक ही बार, एक दिन तक, वहाँ काम करता है जहाँ आप पासवर्ड से लॉग इन हैं।',
        button: 'मेरा पता सत्यापित करें',
        rest: 'अगर झलक पर आपका कोई खाता नहीं है, तो किसी और ने आपका पता लिखा है। आपको कुछ करने की ज़रूरत नहीं है।',
      },
      change: {
        subject: 'झलक के लिए अपना नया पता सत्यापित करें',
        lead: 'कृपया सत्यापित करें कि यह पता आपका है; तब यह आपके खाते का पता हो जाएगा। लिंक एक ही बार, एक दिन तक, वहाँ काम करता है जहाँ आप लॉग इन हैं।',
        button: 'मेरा नया पता सत्यापित करें',
        rest: 'अगर झलक पर आपका कोई खाता नहीं है, तो किसी और ने आपका पता लिखा है। आपको कुछ करने की ज़रूरत नहीं है।',
      },
    },
    code: {
      subject: 'झलक के लिए आपका कोड',
      lead: 'यह कोड वहाँ लिखें जहाँ इसे माँगा गया था। यह एक ही बार, दस मिनट तक काम करता है:',
      rest: 'अगर आपने इसे नहीं माँगा, तो कोई और आपके खाते में लॉग इन है: नया पासवर्ड चुनें, और यह कोड किसी को न बताएँ।',
    },
    acts: {
      password_changed: {
        subject: 'आपका झलक पासवर्ड बदला गया',
        sentence: 'आपके खाते का पासवर्ड बदला गया। बाकी सभी डिवाइस लॉग आउट हो गए।',
      },
      password_reset: {
        subject: 'आपका झलक पासवर्ड नया रखा गया',
        sentence: 'इस पते पर भेजे गए लिंक से आपके खाते का नया पासवर्ड चुना गया। सभी डिवाइस लॉग आउट हो गए।',
      },
      google_linked: {
        subject: 'आपके झलक खाते से एक Google खाता जुड़ा',
        sentence: 'Google खाता {email} आपके खाते से जोड़ा गया। वह खाता जिसके पास है, वह उससे लॉग इन कर सकता है।',
      },
      google_unlinked: {
        subject: 'आपके झलक खाते से एक Google खाता हटा',
        sentence: 'Google खाता {email} आपके खाते से हटाया गया। अब उससे कोई लॉग इन नहीं कर सकता।',
      },
      destination_set: {
        subject: 'आपकी झलक कमाई का भुगतान कहाँ होगा, यह बदल गया',
        sentence:
          'आपकी कमाई का भुगतान {destination} में होगा, लेकिन {until} से पहले नहीं। अगर यह आपने नहीं किया, तो उससे पहले उसे हटा दें।',
      },
      destination_removed: {
        subject: 'आपकी झलक कमाई के भुगतान का पता हटा दिया गया',
        sentence:
          'वह UPI आईडी या बैंक खाता हटा दिया गया जिसमें आपकी कमाई का भुगतान होता था। जब तक आप नया नहीं देते, भुगतान रुका रहेगा।',
      },
      destination_dropped: {
        subject: 'आपकी झलक कमाई के भुगतान का पता हटा दिया गया',
        sentence:
          'नए पासवर्ड के साथ {destination} हटा दिया गया, जिसमें आपकी कमाई का भुगतान होता था, क्योंकि हो सकता है उसे किसी और ने डाला हो। जब तक आप UPI आईडी या बैंक खाता नहीं देते, भुगतान रुका रहेगा।',
      },
      destination_kept: {
        subject: 'कृपया देख लें कि आपकी झलक कमाई का भुगतान कहाँ होता है',
        sentence:
          'आपकी कमाई का भुगतान {destination} में होता है, लेकिन {until} से पहले नहीं होगा। अगर वह आपका नहीं है, तो उससे पहले उसे हटा दें।',
      },
      destination_needed: {
        subject: 'आपकी झलक निकासी को आपका इंतज़ार है',
        sentence: 'जब तक आप UPI आईडी या बैंक खाता नहीं जोड़ते, आपकी निकासी रुकी रहेगी।',
      },
      name_needed: {
        subject: 'आपकी झलक कमाई को आपका इंतज़ार है',
        sentence:
          'अब हम ऐसी सेवा से भुगतान करते हैं जो बैंक खाते का नाम केवल अंग्रेज़ी अक्षरों (A से Z) में लेती है। जब तक आप अपना खाता दोबारा नहीं भरते, नाम वैसा जैसा पासबुक में है, भुगतान रुका रहेगा।',
      },
      address_needed: {
        subject: 'आपकी झलक निकासी को आपका इंतज़ार है',
        sentence: 'जब तक आपके खाते का पता सत्यापित नहीं होता, आपकी निकासी रुकी रहेगी।',
      },
      withdrawal_requested: {
        subject: 'आपने झलक से निकासी का अनुरोध किया',
        sentence: '{month} के लिए ₹{rupees} की निकासी का अनुरोध मिला। भुगतान से पहले हम इसे जाँचते हैं।',
      },
      withdrawal_in_review: {
        subject: 'आपकी झलक निकासी की जाँच हो रही है',
        sentence: '{month} के लिए ₹{rupees} की निकासी के लिए अब आपको कुछ नहीं करना है। भुगतान से पहले हम इसे जाँचते हैं।',
      },
      withdrawal_approved: {
        subject: 'आपकी झलक निकासी मंज़ूर हुई',
        sentence: '{month} के लिए ₹{rupees} की निकासी मंज़ूर हुई। अब हम भुगतान करेंगे।',
      },
      withdrawal_retried: {
        subject: 'आपकी झलक निकासी का भुगतान दोबारा हो रहा है',
        sentence:
          '{month} के लिए ₹{rupees} का पिछला भुगतान असफल या लौटा हुआ दर्ज हुआ, इसलिए हम दोबारा भुगतान कर रहे हैं। अगर पिछला भुगतान आपको मिल गया था, तो कृपया हमें बताएँ।',
      },
      withdrawal_sent: {
        subject: 'आपकी झलक निकासी भेज दी गई है',
        sentence: '{month} के लिए ₹{rupees} {reason} में भेजे गए। पहुँचने में कुछ दिन लग सकते हैं।',
      },
      withdrawal_failed: {
        subject: 'आपकी झलक निकासी का भुगतान नहीं हो सका',
        sentence:
          '{month} के लिए ₹{rupees} का भुगतान नहीं हो सका, और हम फिर कोशिश करेंगे। कृपया देख लें कि आपकी कमाई का भुगतान कहाँ होता है। भुगतान करने वाले ने कहा: {reason}',
      },
      withdrawal_returned: {
        subject: 'झलक का एक भुगतान लौट आया',
        sentence:
          '{month} के लिए ₹{rupees} का भुगतान हमारे पास लौट आया, और हम इसे फिर से चुकाएँगे। कृपया देख लें कि आपकी कमाई का भुगतान कहाँ होता है। भुगतान करने वाले ने कहा: {reason}',
      },
      withdrawal_paid: {
        subject: 'आपकी झलक निकासी का भुगतान हो गया',
        sentence: '{month} के लिए ₹{rupees} का भुगतान हो गया, रेफ़रेंस नंबर {reference}।',
      },
      withdrawal_rejected: {
        subject: 'आपकी झलक निकासी का भुगतान नहीं हुआ',
        sentence: '{month} के लिए ₹{rupees} की निकासी का भुगतान नहीं हुआ। आप फिर अनुरोध कर सकते हैं। कारण: {reason}',
      },
      withdrawal_cancelled: {
        subject: 'आपकी झलक निकासी रद्द हुई',
        sentence: 'आपके खाते में {month} के लिए ₹{rupees} की निकासी रद्द की गई। आप फिर अनुरोध कर सकते हैं।',
      },
      work_is_own: {
        subject: 'झलक पर आपकी रचना आपकी अपनी है',
        sentence:
          'आपकी जिस रचना को प्रति माना गया था, उसे एक व्यक्ति ने देखा: वह आपकी अपनी है और बाकी रचनाओं की तरह कमाई करती है। पिछले महीनों में उससे जो कमाई होती, वह इस महीने में गिनी जाती है। कारण: {reason}',
      },
      work_is_copy: {
        subject: 'झलक पर आपकी रचना प्रति ही मानी गई',
        sentence:
          'आपकी जिस रचना को प्रति माना गया था, उसे एक व्यक्ति ने देखा: वह किसी पुरानी रचना की प्रति है और उससे कमाई नहीं होगी। कारण: {reason}',
      },
      work_taken_down: {
        subject: 'झलक पर आपकी डाली हुई एक चीज़ हटाई गई',
        sentence:
          'आपकी डाली हुई एक चीज़ हटाई गई, क्योंकि वह साइट का एक नियम तोड़ती है। नियम: {rule} कारण: {reason}',
      },
      work_labelled: {
        subject: 'झलक पर आपकी डाली हुई एक चीज़ पर लेबल लगाया गया',
        sentence:
          'आपकी डाली हुई एक चीज़ पर लेबल लगाया गया, जिसे देखने वाले सभी पढ़ते हैं; वह सार्वजनिक रहती है। साइट का नियम: {rule} कारण: {reason}',
      },
      account_suspended: {
        subject: 'आपका झलक खाता निलंबित किया गया',
        sentence:
          'आपका खाता निलंबित किया गया, क्योंकि वह साइट का एक नियम तोड़ता है: उसमें कोई लॉग इन नहीं कर सकता, और उसकी कोई चीज़ सार्वजनिक नहीं है। नियम: {rule} कारण: {reason}',
      },
      account_suspended_until: {
        subject: 'आपका झलक खाता कुछ समय के लिए निलंबित किया गया',
        sentence:
          'आपका खाता {until} तक निलंबित है, क्योंकि वह साइट का एक नियम तोड़ता है: तब तक उसमें कोई लॉग इन नहीं कर सकता, और उसकी कोई चीज़ सार्वजनिक नहीं है। नियम: {rule} कारण: {reason}',
      },
      decision_upheld: {
        subject: 'झलक पर आपकी अपील: फ़ैसला बना रहेगा',
        sentence: 'किसी इंसान ने आपकी अपील पढ़ी: फ़ैसला वैसा ही रहेगा। जवाब: {reason}',
      },
      decision_reversed: {
        subject: 'झलक पर आपकी अपील: फ़ैसला वापस लिया गया',
        sentence: 'किसी इंसान ने आपकी अपील पढ़ी: फ़ैसला ग़लत था और वापस ले लिया गया। जवाब: {reason}',
      },
      month_released: {
        subject: 'आपकी झलक रीलों के व्यू जारी किए गए',
        sentence:
          '{month} के {views} व्यू, जो रुके हुए थे, जारी किए गए। उनके {coins} सिक्के उस महीने में गिने जाते हैं जिसमें वे जारी हुए। कारण: {reason}',
      },
      month_void: {
        subject: 'आपकी झलक रीलों के व्यू अमान्य किए गए',
        sentence:
          '{month} के {views} व्यू अमान्य हैं: उनके लिए कुछ नहीं मिलता, और जो सिक्के वे कमा चुके थे, वे वापस लिए जाते हैं। कारण: {reason}',
      },
      passkey_added: {
        subject: 'आपके झलक खाते में एक पासकी जोड़ी गई',
        sentence: 'आपके खाते में एक पासकी जोड़ी गई। वह डिवाइस जिसके पास है, वह उससे लॉग इन कर सकता है।',
      },
      passkey_removed: {
        subject: 'आपके झलक खाते से एक पासकी हटाई गई',
        sentence: 'आपके खाते से एक पासकी हटाई गई। अब उससे कोई लॉग इन नहीं कर सकता।',
      },
      account_deleted: {
        subject: 'आपका झलक खाता मिटा दिया गया',
        sentence: 'आपका खाता और उससे प्रकाशित सब कुछ मिटा दिया गया।',
      },
      recent_removed: {
        subject: 'आपके झलक खाते में हाल में जोड़ी गई चीज़ें हटाई गईं',
        sentence:
          'नए पासवर्ड के साथ पिछले सात दिनों में आपके खाते में जोड़ी गई चीज़ें हटा दी गईं, क्योंकि हो सकता है उन्हें किसी और ने जोड़ा हो। पासकी: {passkeys}; जुड़े Google खाते: {links}; जोड़ने की तारीख़: {dates}। अगर ये आपने जोड़ी थीं, तो सेटिंग पेज पर फिर से जोड़ें।',
      },
      all_removed: {
        subject: 'आपके झलक खाते में जोड़ी गई चीज़ें हटाई गईं',
        sentence:
          'एक लिंक से नया पासवर्ड चुना गया, और हो सकता है कि तब तक आपका खाता किसी और ने इस्तेमाल किया हो। इसलिए खाते में जोड़ी गई चीज़ें हटा दी गईं। पासकी: {passkeys}; जुड़े Google खाते: {links}; जोड़ने की तारीख़: {dates}। अगर ये आपने जोड़ी थीं, तो सेटिंग पेज पर फिर से जोड़ें।',
      },
      factor_set: {
        subject: 'आपके झलक खाते में दूसरा प्रमाण जोड़ा गया',
        sentence: 'आपके खाते के दूसरे प्रमाण के रूप में एक प्रमाणक ऐप जोड़ा गया।',
      },
      factor_reset: {
        subject: 'एक झलक ऑपरेटर का दूसरा प्रमाण हटाया गया',
        sentence: 'ऑपरेटर {username} का दूसरा प्रमाण सर्वर पर हटाया गया।',
      },
      cases_late: {
        subject: 'झलक पर रिपोर्टों की समय-सीमा निकल गई है',
        sentence: 'जिन मामलों की समय-सीमा निकल गई है: {count}। कृपया कंसोल में इन पर फ़ैसला करें।',
      },
      operator_appointed: {
        subject: 'झलक के एक ऑपरेटर की नई भूमिका',
        sentence: '{username} अब इस साइट के ऑपरेटर हैं, भूमिका: {role}। यह भूमिका {by} ने दी।',
      },
      operator_removed: {
        subject: 'झलक पर एक ऑपरेटर कम हुआ',
        sentence: '{username} अब इस साइट के ऑपरेटर नहीं हैं। यह बदलाव {by} ने किया।',
      },
      recovery_code_used: {
        subject: 'आपके झलक खाते का एक रिकवरी कोड इस्तेमाल हुआ',
        sentence: 'आपके प्रमाणक ऐप के कोड की जगह एक रिकवरी कोड इस्तेमाल हुआ।',
      },
      new_device: {
        subject: 'आपके झलक खाते में नए डिवाइस से लॉग इन हुआ',
        sentence: 'आपके खाते में ऐसे डिवाइस या नेटवर्क से लॉग इन हुआ जिससे हाल में नहीं हुआ था: {device}।',
      },
      email_changed: {
        subject: 'आपके झलक खाते का पता बदला गया',
        sentence: 'आपके खाते को दूसरा पता दिया गया। अब से हमारे मेल वहीं जाएँगे।',
      },
      email_restored: {
        subject: 'आपके झलक खाते का पुराना पता लौटाया गया',
        sentence: 'पुराने पते पर भेजे गए लिंक से आपके खाते का पता फिर वही हो गया। सभी डिवाइस लॉग आउट हो गए।',
      },
      address_verified: {
        subject: 'आपके झलक खाते का पता सत्यापित हुआ',
        sentence: 'साइट के एक संचालक ने आपके खाते का पता सत्यापित माना।',
      },
      reset_link_made: {
        subject: 'नए झलक पासवर्ड का लिंक दिया गया',
        sentence: 'साइट के एक संचालक ने ऐसा लिंक दिया जिससे एक घंटे के अंदर आपके खाते का नया पासवर्ड चुना जा सकता है।',
      },
    },
    manyActs: { subject: 'आपके झलक खाते में बदलाव', lead: 'आपके खाते में ये बदलाव हुए:' },
    roles: { moderator: 'मॉडरेटर', payer: 'भुगतानकर्ता', administrator: 'एडमिनिस्ट्रेटर' },
    line: '{time}: {sentence}',
    unknown: 'पता नहीं',
    notYou: 'अगर यह आपने नहीं किया, तो तुरंत नया पासवर्ड चुनें; इससे सभी डिवाइस लॉग आउट हो जाते हैं।',
    newPassword: 'नया पासवर्ड चुनें',
    history: 'आपकी कमाई का इतिहास',
    decision: 'फ़ैसला पढ़ें',
    undo: {
      notYou:
        'अगर यह आपने नहीं किया, तो एक हफ़्ते के अंदर अपना खाता वापस लें: इस लिंक से नया पासवर्ड चुनें। आपके खाते को यह पता वापस मिलेगा और सभी डिवाइस लॉग आउट हो जाएँगे।',
      button: 'बदलाव वापस लें',
    },
    lostAddress: { notYou: 'अगर यह आपने नहीं किया, तो कृपया हमें लिखें।', button: 'हमें लिखें' },
    footer: 'यह मेल आपको इसलिए मिला क्योंकि {origin} पर आपके पते से एक खाता है।',
    lostAddressFooter: 'यह मेल आपको इसलिए मिला क्योंकि {origin} पर आपके पते से एक खाता था।',
  },
};
