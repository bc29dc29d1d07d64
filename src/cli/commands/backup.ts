import { chmodSync, copyFileSync, existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Config } from '../../platform/config/config.ts'
import { keyFilePath } from '../../platform/config/key-file.ts'
import { copyDatabase, integrityErrorsOf } from '../../storage/sqlite/database-file.ts'
import type { Output } from '../output.ts'
import type { CommandGroup } from '../program.ts'
import { CliError } from '../cli-error.ts'
import { auditActionIfPossible } from '../audited-action.ts'
import { databaseFileOf, withConfig } from '../command-context.ts'

export const backup: CommandGroup = {
  addTo(group: Command) {
    group
      .argument('<file>', 'path of the new file')
      .option('--with-key', 'also write the key file, as <file>.key')
      .addHelpText('after', '\nExample:\n  $ odograph backup /backups/odograph-2026-01-31.db')
      .action(withConfig(run))
  },
}

async function run(
  config: Config,
  output: Output,
  options: { withKey?: boolean },
  file: string,
): Promise<void> {
  refuseServer(config)
  const from = databaseFileOf(config)
  if (!existsSync(from)) throw new CliError(`there is no database ${from}: name its folder with --data`)
  for (const path of options.withKey ? [file, backupKeyPath(file)] : [file])
    if (existsSync(path)) throw new CliError(`${path} exists already: choose another name`)
  if (options.withKey && config.encryptionKey !== undefined)
    throw new CliError('ENCRYPTION_KEY is set, so there is no key file to copy: omit --with-key')
  await auditActionIfPossible(config, output, {
    action: 'database.backed_up',
    detail: { withKey: options.withKey === true },
    async act() {
      copyDatabase(from, file)
      const flaws = integrityErrorsOf(file)
      if (flaws.length > 0) throw new CliError(`the database is damaged (${flaws[0]}): keep older backups`)
      if (options.withKey) copyKey(config, file)
      return {}
    },
  })
  output.one({ file: resolve(file), bytes: statSync(file).size, integrity: 'ok' })
  output.say(
    options.withKey
      ? `WARNING: ${backupKeyPath(file)} decrypts every token and credential in the backup: keep the two in different places.`
      : 'The backup does not contain the encryption key. Tokens and credentials cannot be decrypted without it.',
  )
}

function copyKey({ dataDir }: Config, file: string): void {
  copyFileSync(keyFilePath(dataDir), backupKeyPath(file))
  chmodSync(backupKeyPath(file), 0o600)
}

export const backupKeyPath = (file: string): string => `${file}.key`

/** Refuses to work on a database server: only the embedded database is a file. */
export function refuseServer({ mysqlUrl }: Config): void {
  if (mysqlUrl)
    throw new CliError(
      'MYSQL_URL is set: use the tools of the server, such as `mysqldump --single-transaction` or mariadb-backup',
    )
}
