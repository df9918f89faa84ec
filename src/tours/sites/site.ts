import { type Static, Type } from 'typebox'
import { PlayerSettings } from './player-settings.ts'

/** The site of pages whose tag names none, and of tours that were created without one. */
export const defaultSite = 'default'

/** The console of the platform: its address is that of the platform. */
export const consoleSite = 'console'

export const siteBounds = { sites: 200, environments: 20, environmentName: 64, origin: 255 } as const

export const Environment = Type.Object(
  {
    name: Type.String({ description: 'Such as `production` or `staging`.' }),
    origin: Type.String({ description: 'Scheme, host and port, such as `https://shop.example`.' }),
  },
  { description: 'An address of a site.' },
)
export type Environment = Static<typeof Environment>

export const Site = Type.Object(
  {
    id: Type.String({ description: 'Machine name, which the tag of the player names in `data-site`.' }),
    label: Type.String({ description: 'Name of the site. Plain text.' }),
    environments: Type.Array(Environment, {
      description:
        'The addresses of the site; the first one is previewed. The tours play on pages of these origins only; without any, on pages of every origin. Always empty for the console.',
    }),
    player: PlayerSettings,
    tours: Type.Integer({ description: 'Number of tours of the site.' }),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
    updated_by_name: Type.Unsafe<string | null>({
      type: 'string',
      nullable: true,
      description: 'Username of the last editor; null for the platform.',
    }),
  },
  { description: 'A site with tours of its own.' },
)
export type Site = Static<typeof Site>
