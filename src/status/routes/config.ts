import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import type { Models } from '#models'
import { configurationRate } from '../api.ts'
import { ConfigChangeSchema, StatusConfigSchema } from '../config/config.ts'
import type { ConfigStore, StoredConfig } from '../config/config-store.ts'
import type { StatusSettings } from '../settings.ts'
import { administratorAccess } from './shared.ts'

interface ConfigRoutesOptions {
  readonly config: ConfigStore
  readonly models: Pick<Models, 'providers'>
  readonly settings: StatusSettings
}

const OptionalText = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const ConfigResponse = Type.Intersect(
  [
    StatusConfigSchema,
    Type.Object({
      providers: Type.Array(
        Type.Object({
          name: Type.String(),
          url: OptionalText('Address without credentials; null for a provider without one.'),
          key_source: Type.Union([Type.Enum(['environment', 'stored']), Type.Null()], {
            description: 'Source of its key; null without a key.',
          }),
          key_hint: OptionalText('The last four characters of the key; null when hidden.'),
        }),
        {
          description:
            'Providers and vector stores as configured by the environment. Read only, without secrets.',
        },
      ),
      updated_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
        description: 'When it was last changed; null while all values are defaults.',
      }),
      updated_by: OptionalText('The account that changed it.'),
    }),
  ],
  { description: 'The configuration of the probes.' },
)

const path = '/admin/llm/config'

/** The configuration of the probes and, read only, of the probed providers. */
export function addConfigRoutes(routes: HttpServer, { config, models, settings }: ConfigRoutesOptions): void {
  routes.get(
    path,
    {
      config: { access: administratorAccess, ratePolicy: configurationRate },
      schema: {
        operationId: 'readStatusConfig',
        summary: 'Get the status configuration',
        response: { 200: ConfigResponse },
      },
    },
    async (_request, reply) =>
      reply.header('cache-control', 'no-store').send(await describe(await config.read())),
  )

  routes.put(
    path,
    {
      config: { access: administratorAccess, ratePolicy: configurationRate },
      schema: {
        operationId: 'changeStatusConfig',
        summary: 'Change the status configuration',
        description:
          'Fields that are left out stay unchanged. The change applies to all replicas from the next round on.',
        body: ConfigChangeSchema,
        response: { 200: ConfigResponse },
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

  async function describe({ config: known, updatedAt, updatedBy }: StoredConfig) {
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
