import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const COPIED = ['src', 'rest-compat', 'schema', 'sdk', 'bench', 'test', 'package.json', 'tsconfig.json']
/** Links to installed packages and builds; the fakes of providers run unbroken. */
const LINKED = ['node_modules', 'dist']

/** A copy of the source in which breaks are made. */
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
    const whole = await this.read(file)
    await writeFile(join(this.folder, file), text)
    try {
      return await work()
    } finally {
      await writeFile(join(this.folder, file), whole)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true })
  }
}
