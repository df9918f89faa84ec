import type { EventGroup } from './event-groups.ts'
import {
  accountOf,
  actor,
  apiKey,
  atStep,
  byActor,
  client,
  connection,
  did,
  type EventView,
  errorOf,
  execution,
  field,
  fromAddress,
  incident,
  mcpServer,
  model,
  node,
  price,
  provider,
  role,
  route,
  type Sentence,
  type SentencePart,
  service,
  tour,
  user,
  workflow,
} from './sentence-parts.ts'

/** Errors and warnings. */
type EventTone = 'bad' | 'warn'

interface AboutEvent {
  readonly group: EventGroup
  /** Set on events that deserve attention; absent on routine ones. */
  readonly tone?: EventTone
  readonly sentence: Sentence
}

/** What each type of event says. The test of the architecture fails when a type has no sentence. */
const events: Readonly<Record<string, AboutEvent>> = {
  'orchestra.workflow_started': {
    group: 'executions',
    sentence: (it) => ['Workflow ', workflow(it), ' started, run ', execution(it)],
  },
  'orchestra.workflow_completed': {
    group: 'executions',
    sentence: (it) => ['Workflow ', workflow(it), ' completed, run ', execution(it)],
  },
  'orchestra.workflow_failed': {
    group: 'executions',
    tone: 'bad',
    sentence: (it) => [
      'Workflow ',
      workflow(it),
      field(it, 'status') === 'cancelled' ? ' was cancelled' : ` failed${atStep(it)}`,
      ', run ',
      execution(it),
      errorOf(it),
    ],
  },
  'orchestra.agent_performance': {
    group: 'executions',
    sentence: (it) => {
      const id = field(it, 'agent_id') ?? 'unknown'
      const rate = field(it, 'success_rate')
      return [
        'Agent ',
        { name: id, path: `/agents/${encodeURIComponent(id)}` },
        ` ran ${field(it, 'executions_24h') ?? '0'} times in 24 hours`,
        rate === undefined ? '' : `, ${rate} % of them successfully`,
      ]
    },
  },
  'orchestra.cost_alert': {
    group: 'executions',
    tone: 'warn',
    sentence: (it) => {
      const percentage = field(it, 'percentage')
      if (percentage !== undefined && it.account !== null)
        return [accountOf(it.account), ` has used ${percentage} % of the daily limit`]
      return ['Cost alert of run ', execution(it)]
    },
  },
  'orchestra.error': {
    group: 'executions',
    tone: 'warn',
    sentence: (it) => [
      `Step ${field(it, 'step_id') ?? 'unknown'} of run `,
      execution(it),
      ' failed',
      errorOf(it),
    ],
  },
  'flow.execution.completed': {
    group: 'executions',
    sentence: (it) => ['Workflow ', workflow(it), ' completed, run ', execution(it)],
  },
  'flow.execution.failed': {
    group: 'executions',
    tone: 'bad',
    sentence: (it) => ['Workflow ', workflow(it), ' failed, run ', execution(it), errorOf(it)],
  },
  'flow.execution.cancelled': {
    group: 'executions',
    sentence: (it) => ['Workflow ', workflow(it), ' was cancelled, run ', execution(it)],
  },
  'workflows.human_task_answered': {
    group: 'executions',
    sentence: (it) => [
      field(it, 'by') === undefined ? 'A recipient of the mail' : accountOf(field(it, 'by')),
      ` answered the question of step ${field(it, 'step_id') ?? 'unknown'}, run `,
      execution(it),
    ],
  },
  'workflows.flow_disabled': { group: 'executions', sentence: did('disabled workflow', workflow) },
  'workflows.flow_enabled': { group: 'executions', sentence: did('enabled workflow', workflow) },
  'settings.changed': {
    group: 'access',
    sentence: (it) => [actor(it), ' changed ', { name: 'platform settings', path: '/settings' }],
  },
  'triggers.created': { group: 'executions', sentence: did('created a trigger of', workflow) },
  'triggers.changed': { group: 'executions', sentence: did('changed a trigger of', workflow) },
  'triggers.rotated': {
    group: 'executions',
    sentence: did('replaced the URL or secret of a trigger of', workflow),
  },
  'triggers.deleted': { group: 'executions', sentence: did('deleted a trigger of', workflow) },

  'models.provider_added': { group: 'models', sentence: did('added the provider', provider) },
  'models.provider_changed': { group: 'models', sentence: did('changed the provider', provider) },
  'models.provider_removed': { group: 'models', sentence: did('deleted the provider', provider) },
  'models.provider_key_stored': { group: 'models', sentence: did('stored a key of', provider) },
  'models.provider_key_removed': { group: 'models', sentence: did('removed the key of', provider) },
  'models.provider_status_changed': {
    group: 'models',
    tone: 'warn',
    sentence: (it) => [
      'Provider ',
      provider(it),
      ` is ${field(it, 'status') ?? 'unknown'}, it was ${field(it, 'previous_status') ?? 'unknown'}`,
    ],
  },
  'models.price_set': {
    group: 'models',
    sentence: (it) => [actor(it), ' set the price of ', model(it), price(it)],
  },
  'models.price_removed': { group: 'models', sentence: did('removed the price of', model) },
  'models.route_saved': { group: 'models', sentence: did('saved the route', route) },
  'models.route_activated': { group: 'models', sentence: did('activated a version of the route', route) },
  'models.route_removed': { group: 'models', sentence: did('removed the route', route) },
  'models.limit_set': { group: 'models', sentence: did('set limits of', model) },
  'models.limit_removed': { group: 'models', sentence: did('removed the limits of', model) },

  'cluster.node_added': { group: 'cluster', sentence: did('added the node', node) },
  'cluster.node_removed': { group: 'cluster', sentence: did('removed the node', node) },
  'cluster.node_drained': { group: 'cluster', sentence: did('drained the node', node) },
  'cluster.node_resumed': { group: 'cluster', sentence: did('resumed the node', node) },
  'cluster.node_weighed': {
    group: 'cluster',
    sentence: (it) => [
      actor(it),
      ' changed the weight of ',
      node(it),
      ` from ${field(it, 'from') ?? '?'} to ${field(it, 'to') ?? '?'}`,
    ],
  },
  'cluster.strategy_changed': {
    group: 'cluster',
    sentence: (it) => [
      actor(it),
      ` changed the strategy from ${field(it, 'from') ?? '?'} to ${field(it, 'to') ?? '?'}`,
    ],
  },

  'identity.signed_in': {
    group: 'access',
    sentence: (it) => [accountOf(it.account), ` signed in${fromAddress(it)}`],
  },
  'identity.sign_in_failed': {
    group: 'access',
    tone: 'warn',
    sentence: (it) => [
      'Sign-in of ',
      it.account === null ? 'an unknown user' : accountOf(it.account),
      ` failed${fromAddress(it)}`,
    ],
  },
  'identity.signed_out': { group: 'access', sentence: (it) => [accountOf(it.account), ' signed out'] },
  'identity.session_ended': {
    group: 'access',
    sentence: (it) =>
      field(it, 'kind') === 'all_others'
        ? [actor(it), ' ended all other sessions of ', accountOf(it.account)]
        : [actor(it), ' ended a session of ', accountOf(it.account)],
  },
  'identity.password_changed': {
    group: 'access',
    sentence: (it) => ['The password of ', accountOf(it.account), ' was changed', ...byActor(it)],
  },
  'identity.administrator_created': {
    group: 'access',
    sentence: (it) => ['The first administrator ', user(it), ' was created'],
  },
  'identity.account_created': {
    group: 'access',
    sentence: (it) => ['Account ', user(it), ' was created', ...byActor(it)],
  },
  'identity.account_changed': {
    group: 'access',
    sentence: (it) => ['Account ', accountOf(it.account), ' was changed', ...byActor(it)],
  },
  'identity.account_deleted': {
    group: 'access',
    sentence: (it) => [`Account ${field(it, 'username') ?? ''} was deleted`, ...byActor(it)],
  },
  'identity.role_created': { group: 'access', sentence: did('created the role', role) },
  'identity.role_changed': { group: 'access', sentence: did('changed the role', role) },
  'identity.role_deleted': { group: 'access', sentence: did('deleted the role', role) },
  'identity.api_key_created': { group: 'access', sentence: did('created the API key', apiKey) },
  'identity.api_key_changed': { group: 'access', sentence: did('changed the API key', apiKey) },
  'identity.api_key_revoked': { group: 'access', sentence: did('revoked the API key', apiKey) },
  'identity.oauth_client_created': { group: 'access', sentence: did('registered the OAuth client', client) },
  'identity.oauth_client_changed': { group: 'access', sentence: did('changed the OAuth client', client) },
  'identity.oauth_client_deleted': { group: 'access', sentence: did('deleted the OAuth client', client) },
  'identity.consent_given': { group: 'access', sentence: did('connected the application', client) },
  'identity.consent_refused': { group: 'access', sentence: did('refused the application', client) },
  'identity.consent_withdrawn': { group: 'access', sentence: did('disconnected the application', client) },
  'identity.authorization_code_replayed': {
    group: 'access',
    tone: 'bad',
    sentence: (it) => [
      'An authorization code of ',
      accountOf(it.account),
      ' was used twice; its tokens are revoked',
    ],
  },
  'identity.refresh_token_reused': {
    group: 'access',
    tone: 'bad',
    sentence: (it) => [
      'A refresh token of ',
      accountOf(it.account),
      ' was used twice; its tokens are revoked',
    ],
  },
  'identity.signing_key_added': { group: 'access', sentence: () => ['A signing key was added'] },
  'connections.added': { group: 'access', sentence: did('added the connection', connection) },
  'connections.changed': { group: 'access', sentence: did('changed the connection', connection) },
  'connections.removed': { group: 'access', sentence: did('deleted the connection', connection) },

  'status.service_changed': {
    group: 'status',
    tone: 'warn',
    sentence: (it) => [
      'Service ',
      service(it),
      ` is ${field(it, 'status') ?? 'unknown'}, it was ${field(it, 'previous_status') ?? 'unknown'}`,
    ],
  },
  'status.config_changed': { group: 'status', sentence: (it) => [actor(it), ' changed the health checks'] },
  'status.incident_opened': {
    group: 'status',
    tone: 'bad',
    sentence: (it) => ['Incident opened: ', incident(it)],
  },
  'status.incident_updated': { group: 'status', sentence: (it) => ['Incident updated: ', incident(it)] },
  'status.incident_closed': { group: 'status', sentence: (it) => ['Incident closed: ', incident(it)] },
  'status.incident_removed': {
    group: 'status',
    sentence: (it) => [`Incident deleted: ${field(it, 'title') ?? 'unknown'}`],
  },
  'status.mcp_server_added': { group: 'status', sentence: did('added the MCP server', mcpServer) },
  'status.mcp_server_changed': { group: 'status', sentence: did('changed the MCP server', mcpServer) },
  'status.mcp_server_removed': { group: 'status', sentence: did('removed the MCP server', mcpServer) },
  'backups.created': {
    group: 'status',
    sentence: (it) => [`Backup ${field(it, 'file') ?? ''} was made`],
  },
  'backups.restored': {
    group: 'status',
    tone: 'warn',
    sentence: (it) => [`Backup ${field(it, 'file') ?? ''} was restored`],
  },

  'tours.created': { group: 'content', sentence: did('created the tour', tour) },
  'tours.updated': { group: 'content', sentence: did('changed the tour', tour) },
  'tours.published': { group: 'content', sentence: did('published the tour', tour) },
  'tours.unpublished': { group: 'content', sentence: did('withdrew the tour', tour) },
  'tours.deleted': {
    group: 'content',
    sentence: (it) => [actor(it), ` deleted the tour ${field(it, 'name') ?? ''}`],
  },
  'tours.exported': { group: 'content', sentence: did('exported the tour', tour) },
  'tours.site_created': {
    group: 'content',
    sentence: (it) => [actor(it), ` added the tour site ${field(it, 'name') ?? ''}`],
  },
  'tours.site_updated': {
    group: 'content',
    sentence: (it) => [actor(it), ` changed the tour site ${field(it, 'name') ?? ''}`],
  },
  'tours.site_deleted': {
    group: 'content',
    sentence: (it) => [actor(it), ` deleted the tour site ${field(it, 'name') ?? ''}`],
  },
}

/** All types with a sentence. */
export const knownTypes: readonly string[] = Object.keys(events)

export function typesOf(group: EventGroup): readonly string[] {
  return knownTypes.filter((type) => events[type]?.group === group)
}

/** An event in words. A type that this console does not know is shown by its name, in words. */
export function describeEvent(event: EventView): {
  readonly tone: EventTone | undefined
  readonly parts: readonly SentencePart[]
} {
  const about = Object.hasOwn(events, event.type) ? events[event.type] : undefined
  if (about === undefined) {
    const words = event.type.replaceAll(/[._]/g, ' ')
    return {
      tone: undefined,
      parts: [words, event.subject === null ? '' : `: ${event.subject}`].filter(isSaid),
    }
  }
  return { tone: about.tone, parts: about.sentence(event).filter(isSaid) }
}

function isSaid(part: SentencePart): boolean {
  return part !== ''
}
