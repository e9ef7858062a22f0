import type { ErrorCode } from './errors.ts';
import { monthLabel } from './month.ts';

/**
 * Every sentence of a refusal, by its code. `{name}` is replaced by a value. A code with several sentences has a name for
 * each. A response contains the name as `params.what`, with the values beside it, and a client makes the sentence of its
 * language from them (`error.<code>` of `web/messages/<language>.json`). A `Refusal` has no other sentences: a new one is
 * added here, and a test requires it in every language.
 */
export const sentences = {
  invalid_input: {
    request: 'This request is not valid.',
    unreadable: 'This request could not be read.',
    slow: 'This request came too slowly. Please try again.',
    address: 'This address could not be read.',
    field: 'The field {field} is not valid.',
    text: 'This must be text.',
    too_long: 'Please keep this under {most} characters.',
    character: 'This text contains a character that cannot be stored.',
    id: 'This id is not valid.',
    upload_key: 'This upload key is not valid.',
    limit: 'limit must be a number from 1 to 100.',
    email: 'Please enter a valid email address.',
    email_letters: 'Before the @, an email address has only Latin letters (a to z), digits and signs.',
    username: 'A username can have letters, digits, dots, dashes and underscores, without spaces.',
    google: 'Google login failed',
    link: 'Please paste a valid YouTube or Instagram link.',
    video: 'Please select a video first',
    photo: 'Please select a photo!',
    contact: 'Please fill in all required fields (Name, Email, Message).',
    feedback: 'Please write some feedback before submitting!',
    comment: 'Please write a comment first.',
    comment_id: 'sentAs must be a UUID that is new for each comment.',
    categories: 'Choose at most {most} categories.',
    cover: 'Choose a moment of this video for its cover.',
    language: 'The language must be a tag such as "en", "hi" or "zh-Hant".',
    month: 'This is not a month; write it as YYYY-MM.',
    day: 'This is not a day; write it as YYYY-MM-DD.',
    logged_act: 'act is a name of the log, such as report.close.',
    month_missing: 'Please say which month, as YYYY-MM.',
    export_many:
      'More than {most} entries match. Please choose a month, a step or a person, and export them in parts.',
    year: 'Please give the year in which the financial year begins, as YYYY.',
    rupees: 'Please give totalRupee as an amount in rupees, such as 12.50.',
    figures: 'Please send a list of figures.',
    figures_none: 'Please send at least one figure.',
    figures_many: 'Please send at most {most} figures at a time.',
    liked_ids: 'Please give ids as a list of ids of reels and posts.',
    followed_ids: 'Please give ids as a list of ids of people.',
    liked_many: 'Please ask about at most {most} at a time.',
    event: 'An event is a scroll or an active_hour; likes are noted by the like calls themselves.',
    event_id: 'Each event needs an id of its own, a UUID.',
    event_hour: 'Please give hour as a time, such as 2026-10-05T14:00:00Z.',
    events: 'Please send a list of events.',
    events_none: 'Please send at least one event.',
    events_many: 'Please send at most {most} events at a time.',
    showings: 'Please send a list of watched showings.',
    showings_many: 'Please send at most {most} watched showings at a time.',
    device: 'Please say which device.',
    platform: 'platform is android or ios.',
    upi: 'Please enter a UPI id such as name@bank.',
    account: 'Please enter an account number of 9 to 18 digits.',
    ifsc: 'Please enter an IFSC of 11 characters, such as HDFC0001234.',
    ifsc_zero: 'The fifth character of an IFSC is a zero and not the letter O: {ifsc}.',
    payee: 'Please enter the name of the account as the bank knows it.',
    payee_character:
      'The name of an account cannot contain {character}. Please enter it as the bank knows it.',
    payee_latin: 'Please enter the name of the account in Latin letters (A to Z), as in the passbook.',
    destination_kind: 'kind is upi or bank.',
    adult: 'Please confirm that you are 18 or older.',
    act: 'act is the name of a call that needs a confirmation.',
    confirm_with: 'Please confirm with one of password, passkey, totp, code or idToken.',
    code: 'Please enter the code.',
    name: 'Please give a name.',
    push_service: 'This push service is not known here.',
    block_yourself: 'You cannot block yourself.',
    follow_yourself: 'You cannot follow yourself.',
    reel_ids: 'Please give ids as at most 100 ids of reels, separated by commas.',
    report_own: 'You cannot report your own content.',
    tus: 'This call speaks tus 1.0.0; see /api/docs.',
    upload_length: 'Upload-Length must say how many bytes will come.',
    upload_metadata: 'The header Upload-Metadata could not be read.',
    upload_kind: 'Upload-Metadata must name the kind: {kinds}.',
    upload_original: 'The original is named by its SHA-256 in hex.',
    reference: "Please give the payer's reference.",
    reason_creator: 'Please give a reason that the creator will understand.',
    reason_owner: 'Please give a reason that its owner will understand.',
    reason_log: 'Please give a reason, for the log.',
    note: 'Please write a note first.',
    order: 'Please say who orders what.',
    case_state: 'state is open, mine, muted or decided.',
    case_ids: 'Please give ids as a list of 1 to {most} cases.',
    act_on_many: 'act is close or take-down.',
    merge_itself: 'A case cannot be merged into itself.',
    merge_appeal: 'Appeals are not merged: each is answered by itself.',
    merge_many:
      'At most {most} cases are merged into one. Decide this one first, or merge the others into another one.',
    merged_meanwhile: 'Other cases were merged into this one meanwhile: please look at it again.',
    case_language: 'language is en, hi or other.',
    state: 'state is one of pending, completed, rejected.',
    outcome: 'state is paid, failed or returned.',
    recorded_state: 'state is sent, paid, failed or returned.',
    recorded_rupees: 'rupees is an amount such as 12.50.',
    recorded_payment: 'A payment needs its id, or the reference of the payer.',
    which_payment: 'Please say which payment.',
    what_payment: 'Please say what this payment is.',
    payment_name: 'Please say one: which withdrawal, whose month, or what else this payment is.',
    complete: 'complete is true or false.',
    none: 'none is true or false.',
    none_alone: 'none stands alone: it says that nothing was paid.',
    again: 'again is true or false.',
    waiting: 'waiting is release, void, or for a rejection void_paid.',
    voided: 'what is waiting or paid.',
    which: 'which is open or all.',
    target: 'Please say what, as the id of a report or as kind:id.',
    target_kind: 'Please say what, as the id of a report or as kind:id; kind is one of {kinds}.',
    whom: 'Please say whom to look for, as q.',
    role: 'role is person, moderator, payer or administrator.',
    kind: 'kind is contact or feedback.',
    media_state: 'state is failed or processing.',
    work_kind: 'kind is reel, post or story.',
    verdict: 'verdict is copy or own.',
    take_down_what: 'Please say what is taken down, as what: copy or content.',
    rule: 'Please name the rule that is broken: {rules}.',
    appeal: 'Please write why the decision is wrong.',
    answer: 'answer is upheld or reversed.',
    answer_instead: 'This is an appeal; answer it instead.',
    rule_what: 'This rule does not allow that; see the list of the rules.',
    mute_days: 'days is 7 or 30.',
    days: 'Please give a number of days from 1 to {most}.',
    restore_person: 'To restore a person, use the calls for people.',
    restore_comment: 'A comment that was taken down was deleted and cannot be restored.',
    label_kind: 'Only reels and photos have labels.',
    suspend_instead: 'A person is not taken down; suspend the account instead.',
    report_kind: 'kind is one of {kinds}.',
    report_reason: 'reason is one of {reasons}.',
    host: 'The Host header of this request must name one host.',
    one_file: 'Please send one file at a time.',
    form: 'This form could not be read. Please send the file again.',
    upload_offset: 'Upload-Offset must say where this piece begins.',
    upload_method: 'This address takes {methods}.',
    upload_join: 'Uploads are not joined here; please send each file as one.',
    upload_checksum: 'Checksums of pieces are not checked here.',
  },
  missing_fields: 'All fields are required',
  password_mismatch: 'Password and Confirm Password must be same',
  weak_password: {
    short: 'Please choose a password of at least 8 characters.',
    common: 'Too many people use this password. Please choose another one.',
    own: 'Please choose a password that is not your name or address.',
  },
  name_refused: {
    letters: 'A username needs a letter or a digit.',
    reserved: 'This username is reserved. Please choose another one.',
    hidden: 'A name cannot have invisible characters or marks that turn the direction of text.',
    dots: 'A username cannot begin or end with a dot, or have two dots in a row.',
    marks: 'A username cannot begin with an accent or a vowel sign, or have more than three on one letter.',
    alike: 'This username looks too much like another one. Please choose another one.',
    username: 'Please write your username in the letters of one script.',
    name: 'Please write your name in one script, or in Latin letters beside one Indian script.',
  },
  unknown_category: 'One of these categories does not exist.',
  bad_cursor: 'This page of the list was not found. Please start from the first page.',
  wrong_signature: 'This request is not signed with the secret of the webhook.',
  not_signed_in: {
    login: 'Please log in.',
    gone: 'This account no longer exists.',
    deleted: 'This account was already deleted.',
  },
  invalid_credentials: 'Invalid credentials',
  bad_identity: 'Google login failed',
  not_yours: {
    captions: 'You can change only the captions of your own reels.',
    account: 'You can delete only your own account.',
    comment: 'You can delete only your own comments.',
    edit: 'You can edit only your own reels and photos.',
    post: 'You can delete only your own posts.',
    reel: 'You can delete only your own reels.',
    story: 'You can delete only your own stories.',
    publish: 'You can publish only as yourself.',
    activity: 'You can report only your own activity.',
    earnings: 'You can see only your own earnings.',
    notifications: 'You can see only your own notifications.',
    withdrawal: 'You can withdraw only your own earnings.',
    link: 'This link is for another account. Please log in to that one.',
  },
  not_allowed: {
    operators: 'Only operators can do this.',
    child_safety: 'What may show a child is seen and decided only by these operators: {usernames}.',
    child_safety_nobody:
      'What may show a child is seen and decided only by operators who were given that right; there is none yet.',
    for_moderator: 'Only moderators and administrators can do this.',
    for_payer: 'Only payers and administrators can do this.',
    for_administrator: 'Only administrators can do this.',
    not_operator: '{username} is not an operator.',
    captions: 'This reel was taken down, so you cannot add captions.',
    edit: 'You can edit this only while it is public.',
    form: 'This form was not sent from a page of this site.',
  },
  wrong_password: 'Your current password is wrong.',
  confirmation_required: 'For your safety, log in again and repeat this within ten minutes.',
  recently_changed: {
    password: 'For your safety, this is possible 72 hours after a new password was chosen by a link.',
    google: 'For your safety, a Google account confirms nothing until 72 hours after it was linked.',
  },
  second_factor_required:
    'Operators need a second factor: set it up on the page Settings, or give its code there.',
  email_unverified: 'Please verify your email first.',
  bad_passkey: 'This passkey was not accepted. Please try again.',
  too_many_passkeys: 'You have 20 passkeys already. Please remove one first.',
  too_many_devices:
    'Notifications are on at too many devices of this account. Please log out on one of them first.',
  wrong_code: 'This code is wrong, too old or was used already.',
  suspended: {
    contact: 'This account is suspended. Please contact us.',
    decision: 'This account is suspended. Read why, and how to appeal: {address}',
  },
  not_found: {
    gone: 'This no longer exists.',
    user: 'User not found',
    reel: 'This reel was not found.',
    post: 'This post was not found.',
    story: 'This story was not found.',
    tag: 'Nothing public has this tag.',
    comment: 'This comment was not found.',
    reported: 'What you want to report was not found.',
    upload: 'This upload no longer exists. Please send the file again.',
    no_upload: 'There is no such upload.',
    download: 'This download link was used or has expired. Please ask for a new one.',
    session: 'This session has ended already.',
    passkey: 'This passkey was removed already.',
    person: 'There is no such person.',
    report: 'There is no such report.',
    decision: 'There is no such decision.',
    appeal: 'There is no such appeal.',
    withdrawal: 'There is no such withdrawal.',
    copy: 'This work was not taken for a copy.',
    payment: 'There is no such payment.',
    batch: 'There is no such batch.',
    call: 'There is no such call; see /api/docs.',
    sitemap: 'This part of the sitemap does not exist.',
    page: 'This site has no reel or photo at this address.',
    act: 'There is no such act in the log.',
  },
  identity_off: "Google login isn't available here. Please use your email instead.",
  mail_off: 'This site sends no mail. Please write to us on the contact page.',
  password_needed: 'Please log in with your password, and then open the link again.',
  not_retried: {
    state: 'This reel is processed already, or it is public.',
    file: 'The file of this reel is no longer here. Its creator has to upload it again.',
  },
  link_over: 'This link was used already or is too old. Please ask for a new one.',
  identity_taken: {
    other_account: 'This Google account is already linked to another account.',
    other_google: 'Your account is already linked to another Google account.',
  },
  email_taken: {
    sign_up: 'An account with this email already exists.',
    google:
      'This email already has an account here. Log in with its password first, then link Google on the login page.',
  },
  sign_up_refused:
    'We could not create this account. If you may have one already, log in or choose a new password; otherwise try again later.',
  username_taken: 'This username is already taken.',
  no_password: {
    change: 'This account has no password. It logs in with Google.',
    unlink:
      'This account has no password, so nobody could log in to it without Google. Choose a password first.',
  },
  withdrawal_pending:
    'You have a pending withdrawal. You can delete your account once it has been paid, rejected or cancelled.',
  month_not_over: {
    running: '{month} is not over yet. You can withdraw it once it is.',
    future: '{month} has not started yet.',
  },
  month_begun: '{month} has begun, and its limits do not change. Please name a later month.',
  month_not_counted: 'We are counting {name}. It is ready in a few minutes.',
  nothing_waits: 'No views of your finished months wait.',
  below_minimum: '{month} earned ₹{earned}; a withdrawal starts at ₹{least}.',
  amount_differs: '{month} earned ₹{earned}, not ₹{asked}; please reload and try again.',
  too_many_cancellations:
    'You cancelled the withdrawal of {month} three times within a day. Please request it again tomorrow.',
  withdrawal_decided: {
    paid: 'This withdrawal was already paid, with the reference {reference}.',
    rejected: 'This withdrawal was already rejected: {reason}',
    again:
      'Its creator cancelled this withdrawal and requested the money again: if you paid it, complete the withdrawal {withdrawal}.',
  },
  already_sent: 'This withdrawal was sent to be paid already, so it cannot be cancelled any more.',
  reference_used: 'Another withdrawal was paid with this reference. Please give the one of this payment.',
  payout_waits: {
    destination: 'This person has not said where to be paid; they are asked for it.',
    unreadable: 'The destination of this person cannot be read any more; ask them to enter it again.',
    address: 'The email address of this person is not verified.',
    hold: 'Payouts of this person are on hold: nothing is paid until {until}.',
  },
  payout_open: {
    batch: 'This withdrawal is in a batch that was not sent: send the batch, or cancel it.',
    payer: 'The payer has this withdrawal: note first what became of it, by payouts reconcile.',
  },
  payment_ended: {
    ended: 'This payment is noted as {state}.',
    later: 'There is a later attempt at this payment: ask the payer about both.',
  },
  payouts_locked: {
    restored:
      'Payouts are locked, because this site was restored from a backup: compare what was paid since by payouts reconcile.',
    creator: 'We are checking what was paid lately. Please try again tomorrow.',
    open: 'Payouts are not locked.',
    unmatched:
      'Payouts stay locked: say first, by payouts name, what the payments are that match nothing here.',
  },
  payment_unmatched: {
    amount: 'It is of ₹{paid}, and here of ₹{known}.',
    cancelled: 'It was cancelled here before it was sent.',
    told: 'Its payer says by itself what became of it.',
    unknown: 'Nothing here has this id or reference.',
    no_amount: 'The record does not say of how many rupees it is.',
    decided: 'The withdrawal {withdrawal} is {state} here.',
    another_amount: 'It is of ₹{paid}, and the withdrawal {withdrawal} of ₹{due}.',
    another_withdrawal: 'The record says that it is of the withdrawal {withdrawal}.',
    open: 'The payer has another payment of this withdrawal, {payment}: say first what became of it.',
  },
  nothing_to_pay: {
    none: 'No withdrawal can be paid now.',
    above: 'One operator alone pays at most ₹{rupees} within a day: a second operator approves more.',
    again:
      'You noted that earlier payments of these withdrawals were not made: without another operator they are paid again 72 hours after that.',
  },
  payment_told: 'The payer says by itself what became of this payment: wait for it.',
  batch_decided: 'This batch is {state} already.',
  payer_missing:
    'This site has no settings of {payer}, which is to pay this batch: set them, or cancel the batch.',
  batch_waits: {
    send: 'One operator may not pay this batch alone: a second one approves it first.',
    waiting: 'One operator may not pay this batch alone: whoever approves it decides about views that wait.',
  },
  own_batch: 'You made this batch: another operator approves it.',
  new_operator:
    'Another operator made you one less than 72 hours ago: until {until} others decide about this.',
  second_operator: {
    own_proposal: 'You proposed this: another operator approves it.',
    nothing_left:
      'Nothing is left to do: this is done already, or there is nothing like it any more. Decline the proposal.',
    void_proposed:
      'It is proposed that views of this person are void: nothing is paid to them until a second operator answers that.',
    void: 'One operator does not void views alone: propose that on its own, and another operator approves it.',
    again:
      'You noted that an earlier payment of this withdrawal was not made: another operator pays it again.',
    later:
      'You noted that an earlier payment of this withdrawal was not made: without another operator it is paid again from {until}.',
    above:
      'One operator alone pays at most ₹{rupees} within a day: put this withdrawal in a batch, which another operator approves.',
  },
  last_operator: 'This is the only administrator: make another person one first.',
  own_work: 'This is your own work, or it is paid to a destination of yours: another operator decides it.',
  reported: 'We are looking at a report about this. You can edit it once that is decided.',
  case_claimed: '{username} is working on this case.',
  case_decided: '{username} has decided this case already.',
  own_decision: 'You decided or proposed this yourself: another operator answers the appeal.',
  decision_over: 'This decision is not in force any more, so there is nothing to appeal against.',
  copy_decided: 'This was already decided: {reason}',
  own_withdrawal: {
    withdrawal:
      'This is your own withdrawal, or it goes to a destination of yours: another operator decides it.',
    month:
      'These are your own views, or they are paid to a destination of yours: another operator decides about them.',
  },
  person_suspended: {
    account: 'This account is suspended; restore it first.',
    withdrawal: 'This account is suspended: reject the withdrawal, or restore the account first.',
  },
  has_second_factor: '{username} has a second factor; operators reset-factor takes a lost one away.',
  is_operator: {
    suspend: 'An operator cannot be suspended; take that role away first.',
    access: 'This is an operator: no other operator gets into their account.',
  },
  upload_unknown: {
    video: 'This video has not been uploaded; please upload it first.',
    thumbnail: 'This thumbnail has not been uploaded; please upload it first.',
    photo: 'This photo has not been uploaded; please upload it first.',
  },
  upload_used: {
    thumbnail: 'This thumbnail already belongs to another reel.',
    photo: 'This photo was already used; please upload it again.',
  },
  sent_before: 'Something else was already sent with this id.',
  upload_incomplete: 'This file is not fully uploaded yet. Please continue the upload.',
  too_many_uploads:
    'You have {uploads} unfinished uploads. Please finish or cancel one of them first. Unfinished uploads are removed after a day.',
  too_much_unpublished: {
    files:
      'You can have at most {most} files waiting to be published. Please publish what you have uploaded first. What is not published is deleted after a day.',
    megabytes:
      'You can have at most {most} MB waiting to be published. Please publish what you have uploaded first. What is not published is deleted after a day.',
  },
  link_invalid: 'Please paste a valid YouTube or Instagram link.',
  link_failed: 'Failed to fetch video. Please check the link.',
  import_busy: {
    yours: 'Your last link is still being fetched. Please wait for it.',
    many: 'Many links are being fetched right now. Please try again in a minute.',
  },
  import_limit: {
    one: 'Without a login, 1 link a day can be fetched from one network. Please log in to fetch more.',
    many: 'Without a login, {most} links a day can be fetched from one network. Please log in to fetch more.',
  },
  source_unknown: 'This video was not fetched from that address.',
  not_confirmed: 'Please confirm that this video is yours to publish.',
  file_too_large: {
    kilobytes: 'This file is larger than {size} KB.',
    megabytes: 'This file is larger than {size} MB.',
    thumbnail: 'A thumbnail may have at most {size} MB.',
    request: 'This request is larger than we accept.',
  },
  file_missing: {
    file: 'Please attach a file as the form field "file".',
    photo: 'Please select a photo!',
  },
  file_empty: 'This file is empty.',
  file_not_video: {
    no_picture: 'This file has no picture in it; please choose a video.',
    picture: 'This file is a picture and not a video.',
    unreadable: 'This file cannot be read as a video.',
  },
  video_kind_refused: 'Videos of this kind ({kind}) are not taken here; please save it as MP4 and send that.',
  file_not_image: {
    thumbnail: 'A thumbnail must be a picture.',
    photo: 'This file is not a JPEG, PNG, WebP, AVIF or HEIC picture.',
  },
  file_unreadable: {
    video: 'This video cannot be read; it may be damaged or of a kind we do not know.',
    heic: 'This HEIC picture cannot be read here; please save it as a JPEG and try again.',
    picture: 'This picture cannot be read; it may be damaged.',
    time: 'This file takes too long to read; please try another one.',
    memory: 'This file takes too much memory to read; please try another one.',
    crash: 'This file cannot be read; it may be damaged.',
  },
  file_incomplete: 'This video is incomplete: the end of the file is missing. Please send it again.',
  video_too_long: 'This video is longer than {minutes} minutes; please choose a shorter one.',
  video_too_heavy:
    'This video takes more than {times} times its own length to process. Please save it as H.264 in 1080p and send that.',
  image_too_many_pixels: {
    picture: 'This picture has more than {millions} million pixels.',
    video: "This video's picture is larger than we can read ({width} × {height}).",
  },
  captions_invalid: {
    not_text: 'This file is not text in UTF-8.',
    header: 'This is not a WebVTT file: its first line must begin with WEBVTT.',
    times: 'Line {line} of the captions should hold times such as 00:01.000 --> 00:02.500.',
    backwards: 'The caption at line {line} ends before it begins.',
    order: 'The caption at line {line} begins before the one above it.',
    late: 'The caption at line {line} begins after {minutes} minutes, longer than a reel.',
    long: 'The caption at line {line} has more than {most} characters.',
    many: 'Please keep it to {most} captions.',
    none: 'There are no captions in this file.',
  },
  too_many_captions: 'A reel can have captions in {most} languages.',
  too_many_blocks: 'You can block at most 5,000 people.',
  upload_interrupted: 'The upload was interrupted. Please try again.',
  too_many_requests: {
    second: 'Too many tries. Please wait 1 second and try again.',
    seconds: 'Too many tries. Please wait {seconds} seconds and try again.',
    later: 'Too many tries. Please try again later.',
    day_hour: 'You can do this {most} times a day. Please try again in an hour.',
    day_hours: 'You can do this {most} times a day. Please try again in {hours} hours.',
    network_hour:
      'Without a login, this can be done {most} times a day from one network. Please log in, or try again in an hour.',
    network_hours:
      'Without a login, this can be done {most} times a day from one network. Please log in, or try again in {hours} hours.',
    downloads: 'You can download your data {times} times an hour. Please try again later.',
  },
  internal: 'Something went wrong on our side. Please try again later.',
  format_unknown: 'There is no other format than json.',
  unavailable: {
    now: 'Jhalak cannot do this right now. Please try again in a moment.',
    busy: 'Jhalak is very busy right now. Please try again in a moment.',
    storage: 'We cannot reach our file storage right now. Please try again in a minute.',
    files: 'We cannot store or read files right now. Please try again in a moment.',
    google: 'We cannot reach Google right now. Please try again in a moment.',
    checking: 'This file is still being checked. Please try again.',
    payer: 'The payer did not give its record: {why}',
  },
  storage_full: 'There is no space for more files right now. Please try again later.',
  month_settled: 'The month has just ended. Please try again.',
  /** Why the processing of an accepted reel failed. It is stored in the reel; no call returns it as an error. */
  processing_failed: {
    slow: 'This video took too long to process. Please try a shorter or smaller one.',
    stuck:
      'We tried twice, and both times reading this video came to a standstill. It may be damaged; please try another file.',
    memory: 'We tried three times, and each time this video took too much memory. Please try a smaller one.',
    crash:
      'We tried three times, and each time reading this video broke off. It may be damaged; please try another file.',
    error: 'We could not process this video after three tries. Please try another file.',
    ours: 'Processing failed on our side several times. Please upload this video again.',
  },
} as const satisfies Record<ErrorCode | 'processing_failed', string | Record<string, string>>;

type Sentences = typeof sentences;
/** A code of `errors.ts`, or of a reason that is only stored. */
export type ReasonCode = keyof Sentences;

type Names<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Values<T> = [Names<T>] extends [never] ? Record<never, never> : Record<Names<T>, string | number>;
type Argument<V> = [keyof V] extends [never] ? [values?: Record<string, never>] : [values: V];

/** By the name of each sentence of a code: the argument with its values, which may be omitted if there are none. */
export type ValuesOf<C extends ReasonCode> = Sentences[C] extends string
  ? never
  : { [W in keyof Sentences[C]]: Argument<Values<Sentences[C][W]>> };

/** The argument with the params of a code: the values of its sentence, and `what` if it has several. A month is `YYYY-MM`. */
export type ParamsArgument<C extends ReasonCode> = Sentences[C] extends string
  ? Argument<Values<Sentences[C]>>
  : [params: { [W in keyof Sentences[C]]: { what: W } & Values<Sentences[C][W]> }[keyof Sentences[C]]];

/** What a sentence contains besides its code, without the types of its code. */
export type Params = Record<string, string | number>;

export interface Reason<C extends ReasonCode = ReasonCode> {
  code: C;
  params: Params;
}

/** The English sentence of a reason. */
export function sentenceOf({ code, params }: Reason): string {
  const said: string | Record<string, string> = sentences[code];
  const template = typeof said === 'string' ? said : (said[String(params.what)] ?? '');
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === 'month' ? monthLabel(String(params.month)) : String(params[name]),
  );
}
