import type { AuditType } from '../../api/responses.ts'
import type { Tone } from '../../parts/Status.tsx'

interface AboutType {
  readonly title: string
  /** Set on entry types that deserve attention; absent on routine ones. */
  readonly tone?: Tone
}

const quiet = (title: string): AboutType => ({ title })

/** The titles of all entry types. */
export const auditTypes: Readonly<Record<AuditType, AboutType>> = {
  'identity.signed_in': quiet('Signed in'),
  'identity.sign_in_failed': { title: 'Sign-in failed', tone: 'warn' },
  'identity.signed_out': quiet('Signed out'),
  'identity.session_ended': quiet('Signed out elsewhere'),
  'identity.password_changed': quiet('Password changed'),
  'identity.administrator_created': quiet('First administrator created'),
  'identity.account_created': quiet('Account created'),
  'identity.account_changed': quiet('Account changed'),
  'identity.account_deleted': quiet('Account deleted'),
  'identity.role_created': quiet('Role created'),
  'identity.role_changed': quiet('Role changed'),
  'identity.role_deleted': quiet('Role deleted'),
  'identity.api_key_created': quiet('API key created'),
  'identity.api_key_changed': quiet('API key changed'),
  'identity.api_key_revoked': quiet('API key revoked'),
  'identity.oauth_client_created': quiet('OAuth client registered'),
  'identity.oauth_client_changed': quiet('OAuth client changed'),
  'identity.oauth_client_deleted': quiet('OAuth client deleted'),
  'identity.consent_given': quiet('Application connected'),
  'identity.consent_refused': quiet('Application refused'),
  'identity.consent_withdrawn': quiet('Application disconnected'),
  'identity.authorization_code_replayed': { title: 'Authorization code replayed', tone: 'bad' },
  'identity.refresh_token_reused': { title: 'Refresh token reused', tone: 'bad' },
  'identity.signing_key_added': quiet('Signing key added'),
  'backups.created': quiet('Backup made'),
  'backups.restored': { title: 'Backup restored', tone: 'warn' },
  'settings.changed': quiet('Settings changed'),
  'cluster.node_added': quiet('Node added'),
  'cluster.node_removed': quiet('Node removed'),
  'cluster.node_drained': quiet('Node drained'),
  'cluster.node_resumed': quiet('Node resumed'),
  'cluster.node_weighed': quiet('Node weight changed'),
  'cluster.strategy_changed': quiet('Strategy changed'),
  'connections.added': quiet('Secret or connection added'),
  'connections.changed': quiet('Secret or connection changed'),
  'connections.removed': quiet('Secret or connection deleted'),
  'models.provider_added': quiet('Provider added'),
  'models.provider_changed': quiet('Provider changed'),
  'models.provider_removed': quiet('Provider deleted'),
  'models.provider_key_stored': quiet('Provider key stored'),
  'models.provider_key_removed': quiet('Provider key removed'),
  'models.price_set': quiet('Price set'),
  'models.price_removed': quiet('Price removed'),
  'models.route_saved': quiet('Route saved'),
  'models.route_activated': quiet('Route version activated'),
  'models.route_removed': quiet('Route removed'),
  'models.limit_set': quiet('Model limits set'),
  'models.limit_removed': quiet('Model limits removed'),
  'status.config_changed': quiet('Health checks changed'),
  'status.mcp_server_added': quiet('MCP server added'),
  'status.mcp_server_changed': quiet('MCP server changed'),
  'status.mcp_server_removed': quiet('MCP server removed'),
  'tours.created': quiet('Tour created'),
  'tours.published': quiet('Tour published'),
  'tours.unpublished': quiet('Tour withdrawn'),
  'tours.deleted': quiet('Tour deleted'),
  'tours.exported': quiet('Tour exported'),
  'tours.site_created': quiet('Tour site added'),
  'tours.site_updated': quiet('Tour site changed'),
  'tours.site_deleted': quiet('Tour site deleted'),
  'triggers.created': quiet('Trigger created'),
  'triggers.changed': quiet('Trigger changed'),
  'triggers.rotated': quiet('Trigger URL or secret replaced'),
  'triggers.deleted': quiet('Trigger deleted'),
  'workflows.flow_disabled': quiet('Workflow disabled'),
  'workflows.flow_enabled': quiet('Workflow enabled'),
  'workflows.human_task_answered': quiet('Human task answered'),
}

/** The title of an entry type; a type unknown to this console is shown by its name. */
export function describeType(type: string): AboutType {
  return Object.hasOwn(auditTypes, type) ? auditTypes[type as AuditType] : quiet(type)
}
