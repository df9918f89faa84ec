import { type Layout, socketPort } from './layout.ts'

/** The one role of an embedded database. It can be reached through the owner's socket folder alone. */
export const roleName = 'tutti'
export const databaseName = 'tutti'

/**
 * Written into `postgresql.conf` when the database is made, where an operator can change them. Safety stays at
 * PostgreSQL's defaults: fsync, full_page_writes and synchronous_commit are on.
 */
export const tunedSettings: Readonly<Record<string, string>> = {
  shared_buffers: '128MB',
  max_connections: '100',
  // Fewer checkpoints: each one makes the next write of every page bigger. Recovery still takes seconds.
  max_wal_size: '1GB',
  checkpoint_timeout: '15min',
  // Compiling a query costs more than our short statements take.
  jit: 'off',
  // Parallel plans need more shared memory than a container usually grants.
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Statement errors go to the caller; in the log they would repeat what may be secret.
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_line_prefix: '%p ',
}

/** What ties a server to its folder; given at every start, so that no file can change it. */
export function startArguments({ cluster, socketDir }: Layout): string[] {
  const wiring = {
    listen_addresses: '',
    port: String(socketPort),
    unix_socket_directories: quoteListItem(socketDir),
    unix_socket_permissions: '0700',
    logging_collector: 'off',
    log_destination: 'stderr',
  }
  return ['-D', cluster, ...Object.entries(wiring).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/** A folder name may hold a comma or a space. */
function quoteListItem(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
