/** Events of backups, which the audit log shows. */
export const backupEventTypes = ['backups.created', 'backups.restored'] as const
