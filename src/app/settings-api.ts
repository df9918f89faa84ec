import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type Identity, tierNames } from '#identity'
import type { Editable } from '#kernel/config'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, perCaller } from '#kernel/http'
import type { LiveSettings, SettingState } from '#kernel/live-settings'
import type { Notification, Notifications } from '#notifications'
import { readNotifyTargets } from '#status'

type Section = Editable['section']

/** The permission to see and change the settings of a section. */
const permissionOf: Readonly<Record<Section, string>> = {
  models: 'administer llm',
  tiers: 'administer users',
  notifications: 'administer llm',
  status: 'administer llm',
  retention: 'administer llm',
  tours: 'administer recipe tours',
}

const maxChanges = 20

const nullableText = (description: string) =>
  Type.Unsafe<string | null>({ type: 'string', nullable: true, description })

const settingSchema = Type.Object(
  {
    name: Type.String({ description: 'The environment variable.' }),
    section: Type.Enum(Object.keys(permissionOf) as Section[]),
    label: Type.String(),
    about: Type.String(),
    kind: Type.String({ description: 'Such as `text`, `integer`, `duration`, `true or false` or `list`.' }),
    choices: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'The possible values; null when there is no fixed list.',
    }),
    bounds: Type.Union([Type.Object({ min: Type.String(), max: Type.String() }), Type.Null()]),
    secret: Type.Boolean({ description: 'Whether the value is never shown.' }),
    value: nullableText('The value in use as text; null when it is a secret or nothing is set.'),
    is_set: Type.Boolean({ description: 'Whether a value is set, by the environment or stored.' }),
    hint: nullableText('The host of a secret address; null otherwise.'),
    default: nullableText('The default; null without one.'),
    source: Type.Enum(['environment', 'stored', 'default']),
    has_stored_value: Type.Boolean({
      description: 'Whether a value is stored; the environment wins over it.',
    }),
    problem: nullableText('Why the stored value cannot be used; null when it can.'),
    updated_at: nullableText('When the stored value was set, as ISO 8601.'),
    updated_by: nullableText('The id of the account that stored the value.'),
  },
  { description: 'A setting that can be changed while the platform runs.' },
)

const listSchema = Type.Object(
  {
    settings: Type.Array(settingSchema),
    tiers: Type.Array(
      Type.Object({
        name: Type.String(),
        requests_per_hour: Type.Number(),
        concurrent_workflows: Type.Number(),
        dollars_per_day: Type.Number(),
      }),
      { description: 'The limits of accounts by tier, for callers who may change `TUTTI_CUSTOM_TIER`.' },
    ),
  },
  { description: 'The settings of the sections that the account may change.' },
)

const changesSchema = Type.Record(
  Type.String({ pattern: '^[A-Z][A-Z0-9_]{0,99}$' }),
  Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()]),
  {
    minProperties: 1,
    maxProperties: maxChanges,
    description: 'New texts by variable, in the format of the variable. Null removes the stored value.',
  },
)

const testSchema = Type.Object(
  {
    kind: Type.Enum(['mail', 'slack']),
    to: Type.String({
      minLength: 1,
      maxLength: 400,
      description: 'A mail address, or a Slack channel such as `#ops`.',
    }),
  },
  { additionalProperties: false },
)

interface SettingsRoutesOptions {
  readonly liveSettings: Pick<LiveSettings, 'list' | 'change'>
  readonly notifications: Pick<Notifications, 'sendNow'>
  readonly identity: Pick<Identity, 'tiers'>
}

/** Routes to read and change settings at run time. */
export function addSettingsRoutes(
  routes: HttpServer,
  { liveSettings, notifications, identity }: SettingsRoutesOptions,
): void {
  const access = { permission: [...new Set(Object.values(permissionOf))] }

  const listFor = ({ principal }: FastifyRequest) => ({
    settings: liveSettings
      .list()
      .filter(({ setting }) => principal.permissions.has(permissionFor(setting.editable)))
      .map(describeSetting),
    tiers: principal.permissions.has(permissionOf.tiers)
      ? tierNames.map((name) => describeTier(name, identity.tiers.limitsOfTier(name)))
      : [],
  })

  routes.get(
    '/api/v1/settings',
    {
      config: { access },
      schema: {
        operationId: 'listSettings',
        summary: 'List settings',
        description:
          'Lists the settings that can be changed while the platform runs, of the sections the account may change. Secrets are never part of the response.',
        response: { 200: listSchema },
      },
    },
    async (request) => listFor(request),
  )

  routes.patch(
    '/api/v1/settings',
    {
      config: { access },
      schema: {
        operationId: 'changeSettings',
        summary: 'Change settings',
        description:
          'Stores all changes or none; every replica uses them within a second. 409 `set_by_environment` when the environment sets one of the variables.',
        body: changesSchema,
        response: { 200: listSchema },
      },
    },
    async (request) => {
      const changes = request.body as Readonly<Record<string, string | null>>
      requirePermissions(request, liveSettings.list(), Object.keys(changes))
      await liveSettings.change(changes, {
        by: request.principal.id,
        ip: request.ip,
        user_agent: request.headers['user-agent']?.slice(0, 512) ?? null,
      })
      return listFor(request)
    },
  )

  const rule = { limit: 5, windowSeconds: 60 }
  routes.post(
    '/api/v1/settings/test-notification',
    {
      config: {
        access: { permission: 'administer llm' },
        ratePolicy: perCaller({ name: 'test-notification', signedIn: rule, anonymous: rule }),
      },
      schema: {
        operationId: 'sendTestNotification',
        summary: 'Send a test notification',
        description: 'Sends a mail or a Slack message now and reports what the server answered.',
        body: testSchema,
        response: {
          200: Type.Object(
            {
              delivered: Type.Boolean(),
              problem: nullableText('The answer of the server; null when the notification was accepted.'),
            },
            { description: 'The result.' },
          ),
        },
      },
    },
    async ({ body }) => {
      const problem = await notifications.sendNow(testNotification(body))
      return { delivered: problem === undefined, problem: problem ?? null }
    },
  )
}

function describeTier(name: string, limits: ReturnType<Identity['tiers']['limitsOfTier']>) {
  const { requestsPerHour, concurrentWorkflows, microDollarsPerDay } = limits
  return {
    name,
    requests_per_hour: requestsPerHour,
    concurrent_workflows: concurrentWorkflows,
    dollars_per_day: microDollarsPerDay / 1e6,
  }
}

function permissionFor(editable: Editable | undefined): string {
  return editable === undefined ? 'administer llm' : permissionOf[editable.section]
}

/** Unknown names are reported by `change`. */
function requirePermissions(
  { principal }: FastifyRequest,
  known: readonly SettingState[],
  names: readonly string[],
): void {
  for (const { setting } of known) {
    const permission = permissionFor(setting.editable)
    if (!names.includes(setting.variable) || principal.permissions.has(permission)) continue
    throw kernelFailure('permission_denied', {
      message: `Changing ${setting.variable} requires the permission "${permission}".`,
    })
  }
}

function describeSetting({ setting, source, text, stored }: SettingState) {
  const { variable, about, kind, secret, defaultText, editable, bounds, choices } = setting
  return {
    name: variable,
    section: editable?.section ?? ('models' as const),
    label: editable?.label ?? variable,
    about,
    kind,
    choices: choices === undefined ? null : [...choices],
    bounds: bounds ?? null,
    secret,
    value: secret ? null : (text ?? null),
    is_set: text !== undefined,
    hint: secret && text !== undefined ? hostOf(text) : null,
    default: defaultText ?? null,
    source,
    has_stored_value: stored !== undefined,
    problem: stored?.problem ?? null,
    updated_at: stored?.updatedAt.toISOString() ?? null,
    updated_by: stored?.updatedBy ?? null,
  }
}

/** All secrets that can be changed here are addresses; their host is no secret. */
function hostOf(text: string): string | null {
  return URL.canParse(text) ? new URL(text).host : null
}

const testText =
  'This is a test notification of Tutti. If you can read it, notifications of this kind are configured correctly.'

function testNotification({
  kind,
  to,
}: {
  readonly kind: 'mail' | 'slack'
  readonly to: string
}): Notification {
  const [target] = readTarget(to)
  if (target?.kind !== kind) throw invalidTarget(kind)
  const about = 'test'
  return target.kind === 'mail'
    ? { kind: 'mail', to: target.to, subject: 'Test notification', text: testText, about }
    : { kind: 'slack', channel: target.channel, text: testText, about }
}

function readTarget(to: string) {
  try {
    return readNotifyTargets([to.trim()])
  } catch {
    return []
  }
}

function invalidTarget(kind: 'mail' | 'slack') {
  const message =
    kind === 'mail'
      ? 'must be a mail address such as ops@example.com'
      : 'must be a Slack channel such as #ops'
  return kernelFailure('invalid_input', {
    message: `to ${message}.`,
    problems: [{ path: 'to', message, code: 'value' }],
  })
}
