import { type Command, Option } from 'commander'
import type { BackupOptions } from './backup.ts'
import type { RestoreOptions } from './restore.ts'

/** `tutti backup` and `tutti restore` */
export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description('Write all data into a file, while the platform runs')
    .argument('<file>', 'the file to create; an existing one is not replaced')
    .option('--with-key', 'also store the key of stored secrets, encrypted with a passphrase')
    .option('--verify', 'restore the file into a scratch database and compare every table')
    .addHelpText(
      'after',
      `
Stored secrets, such as provider keys, stay encrypted in the file. The key, which
is TUTTI_SECRET or the file "secret" of the data folder, is not in it: keep it
elsewhere, or use --with-key. The passphrase is asked for twice and not shown;
without a terminal, standard input has it.

Examples:
  npx tutti backup /backups/tutti-monday.tar
  npx tutti backup /backups/tutti-monday.tar --verify
  npx tutti backup /backups/tutti-monday.tar --with-key < passphrase.txt`,
    )
    .showHelpAfterError('Run npx tutti backup --help to see how.')
    .action(async (file: string, options: BackupOptions) => {
      const { makeBackup } = await import('./backup.ts')
      await makeBackup(file, options)
    })

  program
    .command('restore')
    .description('Restore a backup into an empty database')
    .argument('<file>', 'a file of npx tutti backup')
    .option('--replace', 'delete what the database contains')
    .option('--verify', 'only check the file: restore it into a scratch database and compare every table')
    .option('--key-out <file>', 'write the key of the backup to this file, as settings')
    .addOption(
      new Option(
        '--without-key',
        'restore without the key: stored secrets must then be entered again',
      ).conflicts('keyOut'),
    )
    .addHelpText(
      'after',
      `
Stop all processes of the platform first. The restore is one transaction: if it
fails or is killed, the database stays as it was.

With DATABASE_URL, set TUTTI_SECRET to the key of the backup. The embedded
database takes over a key that is in the backup; the passphrase is asked for.
What ran when the backup was made goes on when the platform starts.

Examples:
  npx tutti restore /backups/tutti-monday.tar
  npx tutti restore /backups/tutti-monday.tar --replace
  npx tutti restore /backups/tutti-monday.tar --verify`,
    )
    .showHelpAfterError('Run npx tutti restore --help to see how.')
    .action(async (file: string, options: RestoreOptions) => {
      const { restore } = await import('./restore.ts')
      await restore(file, options)
    })
}
