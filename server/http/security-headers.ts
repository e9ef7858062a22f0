import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** Disables browser features that no page uses, also for embedded content and injected scripts. A file field can still open the camera. */
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

/** Sets the security headers of all responses; pages replace the content policy by their own (pages.ts). */
export async function setSecurityHeaders(app: FastifyInstance, origin: string | undefined): Promise<void> {
  await app.register(helmet, {
    // A response that is no page may load nothing.
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    // The pop-up of Google sign-in may communicate with the page that opened it, but a site that opens this one has no access to it.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    strictTransportSecurity: origin?.startsWith('https:') ?? false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
}
