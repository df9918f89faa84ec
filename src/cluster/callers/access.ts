import type { Access } from '#kernel/http'

/** The access rules of the cluster's routes. */
export interface ClusterAccess {
  /** Use models. */
  readonly generate: Access
  /** See the nodes and what they have. */
  readonly read: Access
  /** Change the nodes, or how one is chosen. */
  readonly operate: Access
}

const open: Access = { open: 'the service can only be reached from this machine' }

/** Where callers have to say who they are, their scopes and permissions decide; else everything is open to this machine. */
export function clusterAccess(mustSayWho: boolean): ClusterAccess {
  if (!mustSayWho) return { generate: open, read: open, operate: open }
  return {
    generate: { signedIn: true, scope: 'models.generate' },
    read: { signedIn: true, scope: 'models.read' },
    operate: { permission: 'administer cluster' },
  }
}
