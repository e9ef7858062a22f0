import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** Refuses browser features that no page uses, to embedded content and injected scripts too. A file field can open the camera all the same. */
export const permissionsPolicy = [
  'camera',
  'microphone',
  'geolocation',
  'payment',
  'usb',
  'serial',
  'midi',
  'display-capture',
  'browsing-topics',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/** Sets the headers of all responses that say what a browser may do; pages replace the content policy by their own (pages.ts). */
export async function setSecurityHeaders(app: FastifyInstance, origin: string | undefined): Promise<void> {
  await app.register(helmet, {
    // A response that is no page may load nothing.
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    // The pop-up of Google sign-in may talk to the page that opened it, but a site that opens this one has no access to it.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    strictTransportSecurity: origin?.startsWith('https:') ?? false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
}
