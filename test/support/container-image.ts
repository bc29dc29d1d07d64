import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

/** Instruction of a Dockerfile, such as COPY, and its arguments. */
type Instruction = readonly [name: string, args: string]

/** Stage of a build: its instructions in order. The last stage is the image. */
interface Stage {
  readonly name: string
  readonly instructions: readonly Instruction[]
}

/**
 * The image of the Dockerfile as a folder, made without a container engine: the COPY and RUN instructions of each
 * stage are carried out in a temporary folder, which stands for the root of the stage's file system.
 */
export class ContainerImage implements Disposable {
  private constructor(
    private readonly folder: string,
    /** Folder that stands for the root of the image. */
    readonly root: string,
    private readonly instructions: readonly Instruction[],
  ) {}

  static async build(): Promise<ContainerImage> {
    const folder = mkdtempSync(join(tmpdir(), 'odograph-image-'))
    const stages = stagesIn(readFileSync('Dockerfile', 'utf8'))
    const context = join(folder, 'context')
    for (const name of sentNames()) cpSync(name, join(context, name), { recursive: true })
    for (const { name, instructions } of stages) {
      const root = join(folder, 'stages', name)
      let workdir = root
      for (const [instruction, args] of instructions) {
        if (instruction === 'WORKDIR') mkdirSync((workdir = join(root, args)), { recursive: true })
        if (instruction === 'COPY') copy(args, { context, stages: join(folder, 'stages'), workdir })
        if (instruction === 'RUN') await run(args, { root, workdir })
      }
    }
    const { name, instructions } = stages.at(-1)!
    return new ContainerImage(folder, join(folder, 'stages', name), instructions)
  }

  /** Working directory of the image's programs. */
  get workdir(): string {
    return join(this.root, this.argumentsOf('WORKDIR'))
  }

  /** Command that a container runs without arguments. */
  get entrypoint(): readonly string[] {
    return JSON.parse(this.argumentsOf('ENTRYPOINT')) as string[]
  }

  /** Variables of the image. Absolute paths lead into the folder. */
  get environment(): Readonly<Record<string, string>> {
    const pairs = this.argumentsOf('ENV')
      .split(' ')
      .map((pair) => pair.split('='))
    return Object.fromEntries(
      pairs.map(([name = '', value = '']) => [name, value.startsWith('/') ? join(this.root, value) : value]),
    )
  }

  private argumentsOf(name: string): string {
    return this.instructions.find(([instruction]) => instruction === name)?.[1] ?? ''
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true })
  }
}

function stagesIn(dockerfile: string): readonly Stage[] {
  const instructions = dockerfile
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line))
    .map((line): Instruction => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)])
  const starts = instructions.flatMap(([name], at) => (name === 'FROM' ? [at] : []))
  return starts.map((start, at) => ({
    name: / AS (\w+)$/i.exec(instructions[start]![1])?.[1] ?? 'image',
    instructions: instructions.slice(start + 1, starts[at + 1]),
  }))
}

/** Returns the names that .dockerignore sends to the build. */
const sentNames = (): readonly string[] =>
  readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))

function copy(
  args: string,
  { context, stages, workdir }: Readonly<Record<'context' | 'stages' | 'workdir', string>>,
): void {
  const [, stage, paths = ''] = /^(?:--from=(\w+) )?(.+)$/.exec(args) ?? []
  const names = paths.split(' ')
  const target = join(workdir, names.pop() ?? '')
  for (const name of names) {
    const source = stage === undefined ? join(context, name) : join(stages, stage, name)
    const isIntoFolder = /(?:^\.|\/)$/.test(paths)
    cpSync(source, isIntoFolder ? join(target, basename(name)) : target, {
      recursive: true,
      verbatimSymlinks: true,
    })
  }
}

/** Runs a command of the image. The owner of files does not matter here, and the user may not exist. */
async function run(command: string, { root, workdir }: { root: string; workdir: string }): Promise<void> {
  const inFolder = command.replace(/ && chown \w+ \S+/, '').replaceAll(/(?<= )\/(?=\w)/g, `${root}/`)
  const { NODE_OPTIONS: _, NODE_ENV: __, ...environment } = process.env
  await promisify(execFile)('sh', ['-ec', inFolder], {
    cwd: workdir,
    env: { ...environment, npm_config_prefer_offline: 'true' },
    maxBuffer: 2 ** 26,
  })
}
