import type { Command } from 'commander'
import { readSettings } from '../../platform/config/config.ts'
import { misspeltVariables } from '../../platform/config/misspelt-variables.ts'
import { redactSecretsByForm } from '../../platform/logging/log.ts'
import { fail, type Finding, warn } from '../doctor/finding.ts'
import { folderFindings, nodeFinding, portFinding } from '../doctor/host.ts'
import { mysqlFindings } from '../doctor/mysql.ts'
import { sandboxFindings, subgraphFindings } from '../doctor/network.ts'
import { redisFindings } from '../doctor/redis.ts'
import { settingFindings } from '../doctor/settings.ts'
import { databaseFindings } from '../doctor/database-contents.ts'
import { escapeControls, output } from '../output.ts'
import type { CommandGroup } from '../program.ts'
import type { Globals } from '../cli-error.ts'

export const doctor: CommandGroup = {
  addTo(group: Command) {
    group
      .addHelpText(
        'after',
        `
Checks the settings, Node, the data folder, the database (on MySQL it creates and drops a table of its own),
Redis, the clocks, the migrations, the encryption keys, subgraphs and the port. Exit code 1 when a check fails.

Example:
  $ odograph doctor --json | jq '.[] | select(.state != "ok")'`,
      )
      .action(run)
  },
}

async function run(_options: object, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Globals>()
  const findings = (await diagnose(options, process.env)).map((finding) => ({
    ...finding,
    found: redactSecretsByForm(finding.found),
  }))
  if (options.json) output(true).list(findings.map((finding) => ({ ...finding })))
  else process.stdout.write(findings.map(lineOf).join(''))
  if (findings.some(({ state }) => state === 'fail')) process.exitCode = 1
}

/** Runs the checks that apply to the settings. */
export async function diagnose(
  { data }: Globals,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Finding[]> {
  const result = readSettings(data === undefined ? [] : ['--data', data], environment)
  if (!('config' in result)) {
    const problems = 'problems' in result ? result.problems : []
    return [nodeFinding(), ...problems.map((problem) => fail('settings', problem, 'correct the setting'))]
  }
  const { config } = result
  const mysql = await mysqlFindings(config)
  const reached = !mysql.some(({ check, state }) => check === 'database' && state === 'fail')
  return [
    nodeFinding(),
    ...settingFindings(config),
    ...misspeltVariables(environment).map(({ variable, setting }) =>
      warn('settings', `${variable} is no setting`, `rename it if you mean ${setting}`),
    ),
    ...folderFindings(config),
    ...mysql,
    ...(reached ? await databaseFindings(config) : []),
    ...(await redisFindings(config)),
    ...(await subgraphFindings(config)),
    ...(await sandboxFindings(config)),
    await portFinding(config),
  ]
}

const CHECK_WIDTH = 20

const lineOf = ({ check, state, found, advice }: Finding): string =>
  `${state.padEnd(5)} ${check.padEnd(CHECK_WIDTH)} ${escapeControls(found.replaceAll('\n', ' '))}\n` +
  (advice === undefined ? '' : `${' '.repeat(CHECK_WIDTH + 7)}→ ${escapeControls(advice)}\n`)
