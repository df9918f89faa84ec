import { type Layout, socketPort } from './layout.ts'

/** The only role of an embedded database. It is reachable only through the owner's socket folder. */
export const roleName = 'tutti'
export const databaseName = 'tutti'

/**
 * Written into `postgresql.conf` when the database is created; an operator can change them there. Durability keeps
 * PostgreSQL's defaults: fsync, full_page_writes and synchronous_commit are on.
 */
export const tunedSettings: Readonly<Record<string, string>> = {
  shared_buffers: '128MB',
  max_connections: '100',
  // Fewer checkpoints: after each one the first write to a page logs the whole page. Recovery still takes seconds.
  max_wal_size: '1GB',
  checkpoint_timeout: '15min',
  // Compiling costs more than the short statements take.
  jit: 'off',
  // Parallel plans need more shared memory than a container usually has.
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Statement errors go to the caller; in the log they might repeat secrets.
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_line_prefix: '%p ',
}

/** Options that tie a server to its folder, passed at every start so that no file can override them. */
export function startArguments({ cluster, socketDir }: Layout): string[] {
  const options = {
    listen_addresses: '',
    port: String(socketPort),
    unix_socket_directories: quoteListItem(socketDir),
    unix_socket_permissions: '0700',
    logging_collector: 'off',
    log_destination: 'stderr',
  }
  return ['-D', cluster, ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/** A folder name may contain a comma or a space. */
function quoteListItem(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
