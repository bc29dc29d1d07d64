import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../../..')

/** Change of one file: a new one, or texts that are replaced. Each text occurs once. */
export type Edit =
  | { readonly file: string; readonly create: string }
  | { readonly file: string; readonly replace: readonly (readonly [string, string])[] }

/** A change that docs/contributing.md describes, as the edits of a contributor. */
export interface Recipe {
  readonly edits: readonly Edit[]
  /** Test of the changed service, with paths as in `test/integration`. */
  readonly check: string
}

/** A copy of the project, such as one in which a recipe is carried out. */
export class ScratchCopy {
  private constructor(readonly path: string) {}

  static async make(): Promise<ScratchCopy> {
    const path = await mkdtemp(join(tmpdir(), 'odograph-recipe-'))
    const { stdout } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
    })
    for (const file of stdout.split('\n').filter(Boolean))
      await cp(join(root, file), join(path, file), { recursive: true }).catch(ignoreMissing)
    await symlink(join(root, 'node_modules'), join(path, 'node_modules'))
    return new ScratchCopy(path)
  }

  async apply({ edits, check }: Recipe): Promise<void> {
    for (const edit of edits) await this.edit(edit)
    await writeFile(join(this.path, 'test/integration/recipe.test.ts'), check)
  }

  private async edit(edit: Edit): Promise<void> {
    const path = join(this.path, edit.file)
    if ('create' in edit) return writeFile(path, edit.create, { flag: 'wx' })
    let text = await readFile(path, 'utf8')
    for (const [before, after] of edit.replace) {
      if (text.split(before).length !== 2) throw new Error(`${edit.file} does not contain once: ${before}`)
      text = text.replace(before, () => after)
    }
    await writeFile(path, text)
  }

  read(file: string): Promise<string> {
    return readFile(join(this.path, file), 'utf8')
  }

  /** Runs a command in the copy. Throws its output if it fails. */
  async run(command: string, ...args: readonly string[]): Promise<string> {
    try {
      const { stdout } = await run(command, args, { cwd: this.path, maxBuffer: 50_000_000 })
      return stdout
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
      throw new Error(`${command} ${args.join(' ')} failed:\n${stdout.slice(-4000)}${stderr.slice(-4000)}`, {
        cause: error,
      })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true })
  }
}

/** A file that was deleted but is still in the index of git. */
function ignoreMissing(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}
