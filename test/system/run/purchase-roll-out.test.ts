import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commandsOf, type ShownCommand } from '../../support/documentation.ts'
import { until } from '../../support/federation/federation-harness.ts'
import { ScratchCopy } from '../../support/recipes/recipe.ts'

const PAGE = 'docs/purchase-roll-out.md'
const START = /^npm ci\n(npm start .+)$/
const { MYSQL_URL: _, REDIS_URL: __, NODE_OPTIONS: ___, ...environment } = process.env

/** A shell whose output is read command by command. */
class Shell implements Disposable {
  private readonly child
  private output = ''

  constructor(cwd: string, variables: Readonly<Record<string, string>> = {}) {
    // The shell leads a group, so that its end is that of its commands too.
    this.child = spawn('sh', { cwd, detached: true, env: { ...environment, ...variables } })
    this.child.stdout.on('data', (text) => (this.output += String(text)))
    this.child.stdin.write('exec 2>&1\n')
  }

  start(code: string): void {
    this.child.stdin.write(`${code}\n`)
  }

  /** Waits for an output that a pattern matches. */
  async prints(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.output)
      if (match) return match
      if (this.child.exitCode !== null) throw new Error(`the shell has ended: ${this.output}`)
      await Promise.race([once(this.child.stdout, 'data'), once(this.child, 'close')])
    }
  }

  /** Returns the output and the exit code of a command. */
  async run(code: string): Promise<{ readonly printed: string; readonly exitCode: string }> {
    this.output = ''
    this.start(`${code}\necho "ended with $?"`)
    const { index, 1: exitCode = '' } = await this.prints(/ended with (\d+)\n$/)
    return { printed: this.output.slice(0, index), exitCode }
  }

  [Symbol.dispose](): void {
    process.kill(-this.child.pid!, 'SIGKILL')
  }
}

let copy: ScratchCopy
let service: Shell
let shell: Shell
let host: string
/** What the commands have printed. */
let printed = ''

const [start, ...others] = commandsOf(PAGE)

beforeAll(async () => {
  copy = await ScratchCopy.make()
  service = new Shell(copy.path, { PORT: '0' })
  shell = new Shell(copy.path)
}, 60_000)

afterAll(async () => {
  service[Symbol.dispose]()
  shell[Symbol.dispose]()
  await copy[Symbol.asyncDispose]()
})

test('the page starts a service that reads its first data', { timeout: 300_000 }, async () => {
  const [, command] = START.exec(start!.code)!
  service.start(`exec ${command}`)
  const { 0: banner } = await service.prints(/^[^]+CONNECTION_TOKEN=.+\n/)
  printed = banner
  host = /http:\/\/([^/]+)\//.exec(banner)![1]!
  const [, token] = /CONNECTION_TOKEN=(\S+)/.exec(banner)!
  const headers = { authorization: `Bearer ${valueOf('sk_sandbox')}`, 'connection-token': token! }
  await until(async () => {
    const response = await fetch(`http://${host}/tsp/v1/syncs`, { headers })
    const { results } = (await response.json()) as { results: readonly { status: string }[] }
    return results[0]?.status === 'completed'
  })
})

test.each(others)('then runs: $code', { timeout: 900_000 }, async ({ code, output }: ShownCommand) => {
  const own = code
    .replaceAll('127.0.0.1:8080', host)
    .replaceAll(/\b(sk_sandbox|app|conn|vcl)_…/g, (_, prefix: string) => valueOf(prefix))
  expect(own).not.toContain('…')
  const result = await shell.run(own)
  printed += result.printed
  expect(result).toMatchObject({ exitCode: '0' })
  const lines = result.printed.split('\n').map(shapeOf)
  const shown = output.map((line) => expect.stringMatching(patternOf(line)))
  expect(lines).toEqual(expect.arrayContaining(shown))
})

/** Returns the key or id that a placeholder stands for: of vehicles, the one that was located last. */
function valueOf(prefix: string): string {
  if (prefix === 'vcl') return lastLocatedVehicle()
  const [value] = new RegExp(`\\b${prefix}_\\w+`).exec(printed) ?? []
  if (value === undefined) throw new Error(`no command has printed ${prefix}_…`)
  return value
}

function lastLocatedVehicle(): string {
  const located = [
    ...printed.matchAll(/"id":"(vcl_\w+)","name":"[^"]*","latestLocation":\{"locatedAt":"(.+?)"/g),
  ]
  const [last] = located.toSorted(([, , one], [, , other]) => other!.localeCompare(one!))
  return last![1]!
}

const THEFTS =
  /far from the vehicle|two places at once|more than the tank holds|filled into cans|wrong product|shared card/g

/** Leaves out of a line what differs in each run: ids, times, numbers, widths and the kinds of thefts. */
const shapeOf = (line: string): string =>
  line
    .replaceAll(/\b[a-z]+_[0-9A-Z]{26}\b/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/(?<![\w.])\d[\d.]*/g, '#')
    .replaceAll('# (# %)', '#')
    .replaceAll(THEFTS, 'THEFT')
    .replaceAll('─', '')
    .replaceAll(/ +/g, ' ')
    .trimEnd()

/** Returns the pattern of a line in which `…` stands for any text. */
const patternOf = (shown: string): RegExp =>
  new RegExp(
    `^${shapeOf(shown)
      .split('…')
      .map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  )
