import type { Access } from '#kernel/http'

/** The access rules of the cluster's routes. */
export interface ClusterAccess {
  /** Use models. */
  readonly generate: Access
  /** Read nodes and models. */
  readonly read: Access
  /** Change nodes and the strategy. */
  readonly operate: Access
}

const open: Access = { open: 'the service can only be reached from this machine' }

/** With authentication, scopes and permissions decide; otherwise every route is open to this machine. */
export function clusterAccess(mustSayWho: boolean): ClusterAccess {
  if (!mustSayWho) return { generate: open, read: open, operate: open }
  return {
    generate: { signedIn: true, scope: 'models.generate' },
    read: { signedIn: true, scope: 'models.read' },
    operate: { permission: 'administer cluster' },
  }
}
