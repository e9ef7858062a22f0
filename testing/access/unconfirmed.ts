/** Why a call needs no confirmation (docs/decisions/0045-confirmation.md). */
const because = {
  proof:
    'The request itself has the proof: a password, an identity, a passkey, a code or the secret of a link.',
  begins:
    'It only begins what the next call proves: it hands out a challenge, or sends a mail to the address that the account has.',
  takesAway: 'It only takes access away.',
  reads: 'It reads, although it is sent as a POST.',
  undone: 'The owner can undo it, and it moves neither money, links nor the address.',
  everyday:
    "It publishes or removes one thing of the owner's: asking each time would teach people to confirm without reading.",
  report: 'It reports something that the server checks or an operator reads.',
  destination: 'The money goes only to a destination that needed a confirmation.',
  server: 'The server computes it; nothing that the client says is stored.',
  operators:
    'It needs a session that gave a second factor and is in the log of operators; it moves no money and gives no rights.',
} as const;

/** Each call that changes something and is not in `confirmedCalls`: a new one of the contract needs a line here, or a confirmation. */
export const unconfirmed: Record<string, (typeof because)[keyof typeof because]> = {
  'POST /api/signup': because.proof,
  'POST /api/signin': because.proof,
  'POST /api/google-loginweb': because.proof,
  'POST /api/passkeys/login': because.proof,
  'POST /api/password/reset': because.proof,
  'POST /api/email/verify': because.proof,
  'POST /api/profile/password': because.proof,
  'POST /api/confirm': because.proof,
  'POST /api/second-factor/begin': because.proof,
  'POST /api/second-factor/finish': because.proof,
  'POST /api/second-factor/give': because.proof,
  'POST /api/second-factor/recovery-codes': because.proof,

  'POST /api/google-nonce': because.begins,
  'POST /api/passkeys/begin-login': because.begins,
  'POST /api/passkeys/begin': because.begins,
  'POST /api/confirm/passkey': because.begins,
  'POST /api/confirm/send-code': because.begins,
  'POST /api/password/forgot': because.begins,
  'POST /api/email/send-verification': because.begins,

  'POST /api/logout': because.takesAway,
  'DELETE /api/sessions': because.takesAway,
  'DELETE /api/sessions/:id': because.takesAway,

  'POST /api/userdata': because.reads,
  'POST /api/liked': because.reads,

  'POST /api/profile/edit': because.undone,
  'POST /api/profile/photo': because.undone,
  'DELETE /api/profile/photo': because.undone,
  'POST /api/profile/language': because.undone,
  'PUT /api/passkeys/:id': because.undone,
  'POST /api/follow/:userId': because.undone,
  'DELETE /api/follow/:userId': because.undone,
  'POST /api/block/:userId': because.undone,
  'DELETE /api/block/:userId': because.undone,
  'POST /api/reel/like/:id': because.undone,
  'DELETE /api/reel/like/:id': because.undone,
  'POST /api/post/like/:id': because.undone,
  'DELETE /api/post/like/:id': because.undone,
  'POST /api/reel/share/:id': because.undone,
  'POST /api/notification/markRead': because.undone,
  'POST /api/notification/register': because.undone,
  'POST /api/notification/unregister': because.undone,
  'PUT /api/push': because.undone,
  'POST /api/push/subscribe': because.undone,
  'POST /api/push/unsubscribe': because.undone,

  'POST /api/s3Reel/uploadReels': because.everyday,
  'POST /api/uploads/:key/finish': because.everyday,
  'POST /api/reel/add': because.everyday,
  'DELETE /api/reel/deleteReel/:id': because.everyday,
  'POST /api/reel/captions/:id/:language': because.everyday,
  'DELETE /api/reel/captions/:id/:language': because.everyday,
  'POST /api/reel/comment/:id': because.everyday,
  'DELETE /api/reel/comment/:id': because.everyday,
  'POST /api/s3Post/uploadPosts': because.everyday,
  'POST /api/post/add': because.everyday,
  'DELETE /api/post/deletePost/:id': because.everyday,
  'POST /api/s3Story/uploadStorys': because.everyday,
  'POST /api/story/add': because.everyday,
  'DELETE /api/story/deleteStory/:id': because.everyday,
  'POST /api/link/download-video': because.everyday,
  'POST /api/instagram': because.everyday,

  'POST /api/playback': because.report,
  'POST /api/reel/increaseView/:id': because.report,
  'POST /api/reel/watched': because.report,
  'POST /api/activity/save': because.report,
  'POST /api/contact/contact': because.report,
  'POST /api/feedback/feed': because.report,
  'POST /api/report': because.report,

  'POST /api/user-earnings/request': because.destination,

  'POST /api/user-earnings/update-status': because.server,

  'POST /api/operator/reports/close/:id': because.operators,
  'POST /api/operator/reports/restore': because.operators,
  'POST /api/operator/reports/take-down': because.operators,
  'POST /api/operator/people/suspend/:id': because.operators,
  'POST /api/operator/people/restore/:id': because.operators,
};
