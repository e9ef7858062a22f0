import { endpoint, ok } from './endpoint.ts';

/** RazorpayX reports the result of a payment; docs/operating.md says how to set its webhook up. */
export const razorpayxWebhook = endpoint({
  method: 'POST',
  path: '/api/payouts/webhook/razorpayx',
  summary:
    'RazorpayX reports the result of a payment: its event as JSON, with X-Razorpay-Signature, the HMAC-SHA256 of the body with the secret of the webhook, and X-Razorpay-Event-Id. Payments of other sites are ignored',
  tag: 'Operators',
  access: 'anyone',
  limit: { perNetwork: 600 },
  signed: { maxBytes: 64 * 1024, headers: ['x-razorpay-signature', 'x-razorpay-event-id'] },
  response: ok({}),
  errors: ['wrong_signature'],
});
