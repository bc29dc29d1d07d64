import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const COPIED = ['src', 'rest-compat', 'schema', 'sdk', 'bench', 'test', 'package.json', 'tsconfig.json']
/** Linked instead of copied: the installed packages, and the build, from which the fakes of the providers run. */
const LINKED = ['node_modules', 'dist']

/** A copy of the source, to which mutants are applied. */
export class SourceTree implements AsyncDisposable {
  private constructor(readonly folder: string) {}

  static async copy(): Promise<SourceTree> {
    const folder = await mkdtemp(join(tmpdir(), 'odograph-broken-'))
    for (const name of COPIED) await cp(name, join(folder, name), { recursive: true })
    for (const name of LINKED) await symlink(resolve(name), join(folder, name))
    return new SourceTree(folder)
  }

  read(file: string): Promise<string> {
    return readFile(join(this.folder, file), 'utf8')
  }

  /** Replaces the text of a file while `work` runs. */
  async with<T>(file: string, text: string, work: () => Promise<T>): Promise<T> {
    const original = await this.read(file)
    await writeFile(join(this.folder, file), text)
    try {
      return await work()
    } finally {
      await writeFile(join(this.folder, file), original)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true })
  }
}
