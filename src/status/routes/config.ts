import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import type { Models } from '#models'
import { configurationRate } from '../api.ts'
import { ConfigChangeSchema, StatusConfigSchema } from '../config/config.ts'
import type { ConfigStore, KnownConfig } from '../config/config-store.ts'
import type { StatusSettings } from '../settings.ts'
import { watcherAccess } from './shared.ts'

interface ConfigRoutesOptions {
  readonly config: ConfigStore
  readonly models: Pick<Models, 'providers'>
  readonly settings: StatusSettings
}

const OptionalText = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const ConfigAnswer = Type.Intersect(
  [
    StatusConfigSchema,
    Type.Object({
      providers: Type.Array(
        Type.Object({
          name: Type.String(),
          url: OptionalText('Where it is asked, without credentials; null for what needs no address.'),
          key_source: Type.Union([Type.Enum(['environment', 'stored']), Type.Null()], {
            description: 'Where its key comes from; null when it has none.',
          }),
          key_hint: OptionalText('The last four characters of the key; null when they are not told.'),
        }),
        {
          description:
            'What the environment says of those who are watched. Read only, and never with a secret.',
        },
      ),
      updated_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
        description: 'When it was last changed; null while everything has its default.',
      }),
      updated_by: OptionalText('The account that changed it.'),
    }),
  ],
  { description: 'How services are watched.' },
)

const path = '/admin/llm/config'

/** How services are watched, and what those who are watched are told by. */
export function addConfigRoutes(routes: HttpServer, { config, models, settings }: ConfigRoutesOptions): void {
  routes.get(
    path,
    {
      config: { access: watcherAccess, ratePolicy: configurationRate },
      schema: {
        operationId: 'readStatusConfig',
        summary: 'How services are watched',
        response: { 200: ConfigAnswer },
      },
    },
    async (_request, reply) =>
      reply.header('cache-control', 'no-store').send(await describe(await config.read())),
  )

  routes.put(
    path,
    {
      config: { access: watcherAccess, ratePolicy: configurationRate },
      schema: {
        operationId: 'changeStatusConfig',
        summary: 'Change how services are watched',
        description: 'What is left out stays as it is. It holds for all replicas from the next round on.',
        body: ConfigChangeSchema,
        response: { 200: ConfigAnswer },
      },
    },
    async (request, reply) => {
      const { principal, ip, headers } = request
      const changed = await config.change(request.body, {
        by: principal.id,
        ip,
        user_agent: headers['user-agent']?.slice(0, 512) ?? null,
      })
      return reply.header('cache-control', 'no-store').send(await describe(changed))
    },
  )

  async function describe({ config: known, updatedAt, updatedBy }: KnownConfig) {
    return {
      ...known,
      providers: [
        ...(await models.providers.settings()).map(({ name, baseUrl, keySource, keyHint }) => ({
          name,
          url: baseUrl,
          key_source: keySource,
          key_hint: keyHint,
        })),
        ...vectorStoresOf(settings),
      ],
      updated_at: updatedAt?.toISOString() ?? null,
      updated_by: updatedBy,
    }
  }
}

function vectorStoresOf({ qdrantUrl, qdrantApiKey, chromaUrl, chromaToken }: StatusSettings) {
  return [
    { name: 'qdrant', url: qdrantUrl, key: qdrantApiKey },
    { name: 'chroma', url: chromaUrl, key: chromaToken },
  ].flatMap(({ name, url, key }) =>
    url === undefined
      ? []
      : [
          {
            name,
            url,
            key_source: key === undefined ? null : ('environment' as const),
            key_hint: null,
          },
        ],
  )
}
