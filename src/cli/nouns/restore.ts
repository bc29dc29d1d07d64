import { copyFileSync, chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { secretBox } from '../../auth/secret-box.ts'
import type { Config } from '../../config.ts'
import { hasKeys, keyFileIn, masterKeysOf } from '../../key-file.ts'
import { DatabaseInUse, flawsOf, replaceDatabase, rowsOfFile } from '../../storage/database-file.ts'
import { migrationState } from '../../storage/migration-state.ts'
import { keyBeside, refuseServer } from './backup.ts'
import type { Output } from '../output.ts'
import type { Noun } from '../program.ts'
import { Refused } from '../refused.ts'
import { rememberInFile } from '../remember.ts'
import { sealedUnder } from '../reseal.ts'
import { databaseFileOf, withConfig } from '../tools.ts'

export const restore: Noun = {
  addTo(noun: Command) {
    noun
      .argument('<file>', 'a file that `odograph backup` wrote')
      .option('--force', 'replace the database, and the key file, that are there')
      .option('--with-key', 'put <file>.key in the place of the key file')
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
  if (!existsSync(file)) throw new Refused(`there is no file ${file}`)
  const path = databaseFileOf(config)
  if (existsSync(path) && !options.force)
    throw new Refused(`${path} holds data: --force replaces it, or name another folder with --data`)
  if (options.withKey) refuseKey(config, options, file)
  mkdirSync(config.dataDir, { recursive: true })
  const copy = `${path}.restoring`
  try {
    copyFileSync(file, copy)
    chmodSync(copy, 0o600)
    await refuseUnfit(copy, file)
    await rememberInFile(copy, output, 'database.restored', { withKey: options.withKey === true })
    replace(path, copy)
  } finally {
    rmSync(copy, { force: true })
  }
  if (options.withKey) {
    copyFileSync(keyBeside(file), keyFileIn(config.dataDir))
    chmodSync(keyFileIn(config.dataDir), 0o600)
  }
  const unopened = await keysMissing(config, path)
  output.one({ restored: resolve(path), integrity: 'ok', missingKeys: unopened.join(', ') })
  if (unopened.length > 0)
    output.say(
      'Tokens and credentials in it need keys that are not here: give them before you start the service.',
    )
}

function refuseKey(config: Config, { force }: Options, file: string): void {
  const [from, to] = [keyBeside(file), keyFileIn(config.dataDir)]
  if (!existsSync(from))
    throw new Refused(`there is no ${from}: leave --with-key out, and put the key there yourself`)
  if (existsSync(to) && !force && readFileSync(to, 'utf8') !== readFileSync(from, 'utf8'))
    throw new Refused(`${to} holds other keys: --force replaces it`)
}

async function refuseUnfit(copy: string, file: string): Promise<void> {
  let flaws: readonly string[]
  try {
    flaws = flawsOf(copy)
  } catch (cause) {
    throw new Refused(`${file} is no database`, 1, { cause })
  }
  if (flaws.length > 0) throw new Refused(`${file} is damaged (${flaws[0]}): use another backup`)
  const { applied, newer } = await migrationState(rowsOfFile(copy))
  if (applied.length === 0) throw new Refused(`${file} is no database of Odograph`)
  if (newer.length > 0) throw new Refused(`${file} is of a newer version than this program: use that version`)
}

function replace(path: string, copy: string): void {
  try {
    replaceDatabase(path, copy)
  } catch (error) {
    if (error instanceof DatabaseInUse)
      throw new Refused(`a service has ${path} open: stop it first`, 1, { cause: error })
    throw error
  }
}

async function keysMissing(config: Config, path: string): Promise<string[]> {
  const known = hasKeys(config) ? secretBox(masterKeysOf(config)).keyIds() : []
  const counts = await sealedUnder({ db: rowsOfFile(path) })
  return [...counts.keys()].filter((id) => !known.includes(id))
}
