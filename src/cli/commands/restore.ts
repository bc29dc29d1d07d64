import { copyFileSync, chmodSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { createEncryption } from '../../auth/envelope-encryption.ts'
import type { Config } from '../../platform/config/config.ts'
import { makePrivateFolder } from '../../platform/private-files.ts'
import { hasKeys, keyFilePath, loadMasterKeys } from '../../platform/config/key-file.ts'
import {
  DatabaseInUse,
  integrityErrorsOf,
  replaceDatabase,
  rowsOfFile,
} from '../../storage/sqlite/database-file.ts'
import { migrationState } from '../../storage/migration-state.ts'
import { backupKeyPath, refuseServer } from './backup.ts'
import type { Output } from '../output.ts'
import type { CommandGroup } from '../program.ts'
import { CliError } from '../cli-error.ts'
import { auditInFile } from '../audited-action.ts'
import { countByKey } from '../reencrypt.ts'
import { databaseFileOf, withConfig } from '../command-context.ts'

export const restore: CommandGroup = {
  addTo(group: Command) {
    group
      .argument('<file>', 'a file that `odograph backup` wrote')
      .option('--force', 'replace an existing database and, with --with-key, an existing key file')
      .option('--with-key', 'also restore the key file from <file>.key')
      .addHelpText(
        'after',
        '\nExample, with the service stopped:\n  $ odograph restore /backups/odograph-2026-01-31.db --data data',
      )
      .action(withConfig(run))
  },
}

interface Options {
  readonly force?: boolean
  readonly withKey?: boolean
}

async function run(config: Config, output: Output, options: Options, file: string): Promise<void> {
  refuseServer(config)
  if (!existsSync(file)) throw new CliError(`there is no file ${file}`)
  const path = databaseFileOf(config)
  if (existsSync(path) && !options.force)
    throw new CliError(
      `${path} already exists: use --force to replace it, or name another folder with --data`,
    )
  if (options.withKey) checkKeyFile(config, options, file)
  makePrivateFolder(resolve(config.dataDir))
  const copy = `${path}.restoring`
  try {
    copyFileSync(file, copy)
    chmodSync(copy, 0o600)
    await checkBackup(copy, file)
    await auditInFile(copy, output, 'database.restored', { withKey: options.withKey === true })
    replace(path, copy)
  } finally {
    rmSync(copy, { force: true })
  }
  if (options.withKey) {
    copyFileSync(backupKeyPath(file), keyFilePath(config.dataDir))
    chmodSync(keyFilePath(config.dataDir), 0o600)
  }
  const missingKeys = await missingKeyIds(config, path)
  output.one({ restored: resolve(path), integrity: 'ok', missingKeys: missingKeys.join(', ') })
  if (missingKeys.length > 0)
    output.say(
      'Some tokens and credentials in the database need encryption keys that are missing. Provide these keys before you start the service.',
    )
}

function checkKeyFile(config: Config, { force }: Options, file: string): void {
  const [from, to] = [backupKeyPath(file), keyFilePath(config.dataDir)]
  if (!existsSync(from))
    throw new CliError(`there is no ${from}: omit --with-key, and restore the key yourself`)
  if (existsSync(to) && !force && readFileSync(to, 'utf8') !== readFileSync(from, 'utf8'))
    throw new CliError(`${to} contains other keys: use --force to replace it`)
}

async function checkBackup(copy: string, file: string): Promise<void> {
  let flaws: readonly string[]
  try {
    flaws = integrityErrorsOf(copy)
  } catch (cause) {
    throw new CliError(`${file} cannot be read as a database`, 1, { cause })
  }
  if (flaws.length > 0) throw new CliError(`${file} is damaged (${flaws[0]}): use another backup`)
  const { applied, newer } = await migrationState(rowsOfFile(copy))
  if (applied.length === 0) throw new CliError(`${file} is not a database of Odograph`)
  if (newer.length > 0)
    throw new CliError(`${file} was written by a newer version of this program: use that version`)
}

function replace(path: string, copy: string): void {
  try {
    replaceDatabase(path, copy)
  } catch (error) {
    if (error instanceof DatabaseInUse)
      throw new CliError(`another process has ${path} open: stop the service and other commands first`, 1, {
        cause: error,
      })
    throw error
  }
}

async function missingKeyIds(config: Config, path: string): Promise<string[]> {
  const known = hasKeys(config) ? createEncryption(loadMasterKeys(config)).keyIds() : []
  const counts = await countByKey({ db: rowsOfFile(path) })
  return [...counts.keys()].filter((id) => !known.includes(id))
}
