import { categories, categoryOf, linkCategories } from '#contract/categories.ts';
import { getConfig } from '#contract/config.ts';
import { rates, rules, showingsAMinute } from '#contract/earning-rules.ts';
import { getEmbed } from '#contract/embed.ts';
import { limits } from '#contract/limits.ts';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/platform/context.ts';
import { on, type Route } from '#server/platform/route.ts';
import { describeEmbed } from './oembed.ts';

/** Configuration that a client needs before it sends anything (decisions §2), and how other sites may show a page. */
export function siteRoutes(
  { clock, config, outbox, db }: Context<'clock' | 'config' | 'outbox' | 'db'>,
  {
    stores,
    follow,
    team,
    analyticsId,
    oidc,
    uploadChunkBytes,
    unpublished,
    interactions,
    linkImport,
    mail,
    anonymousLinksPerDay,
    olderAppsUntil,
  }: Pick<
    Config,
    | 'stores'
    | 'follow'
    | 'team'
    | 'analyticsId'
    | 'oidc'
    | 'uploadChunkBytes'
    | 'unpublished'
    | 'interactions'
    | 'linkImport'
    | 'mail'
    | 'anonymousLinksPerDay'
  > & {
    /** Until then showings in older apps count by their pace. */
    olderAppsUntil: Date | undefined;
  },
): Route[] {
  return [
    on(getConfig, async () => {
      const { seconds, share, leaseMinutes, viewsADay } = rules.watch;
      return {
        limits: {
          ...limits,
          video: { ...limits.video, accept: [...limits.video.accept] },
          photo: { ...limits.photo, accept: [...limits.photo.accept] },
        },
        categories: categories.map((category) => ({
          ...category,
          image: categoryOf(category.id)?.image ?? '',
        })),
        linkCategories: [...linkCategories],
        uploadPiece: uploadChunkBytes,
        unpublished,
        interactions,
        linkImport,
        linksWithoutLogin: anonymousLinksPerDay,
        rates,
        watching: {
          seconds,
          share,
          leaseMinutes,
          viewsADay,
          showingsAMinute,
          olderAppsUntil: olderAppsUntil && clock() < olderAppsUntil ? olderAppsUntil.toISOString() : null,
        },
        monthRules: { verifiedOnly: outbox.isOn },
        paidPublications: rules.paidPublications,
        stores,
        follow,
        team,
        measurementId: analyticsId ?? null,
        signIn: { google: oidc.clientId !== undefined },
        mail: mail !== undefined,
        timeZone: config.timeZone,
      };
    }),
    on(getEmbed, ({ query, origin }) => describeEmbed({ db, config }, query, origin())),
  ];
}
