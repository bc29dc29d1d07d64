import { readFileSync, writeFileSync } from 'node:fs'
import { format } from 'prettier'
import { settings } from '../../dist/src/platform/config/settings.js'

/** Writes the table of all settings into docs/configuration.md. */

const PAGE = 'docs/configuration.md'
const TABLE = /(<!-- settings -->\n\n)[^]*?(\n\n<!-- \/settings -->)/

const code = (text) => (text === undefined ? '' : `\`${text}\``)
const rows = Object.values(settings).map(({ variable, option, default: preset, description }) =>
  [
    code(variable),
    code(option && `--${option}`),
    preset ? code(preset) : '',
    description.replaceAll('|', '\\|'),
  ].join(' | '),
)
const table = ['Variable | Option | Default | What it is', '--- | --- | --- | ---', ...rows]
  .map((row) => `| ${row} |`)
  .join('\n')

const page = readFileSync(PAGE, 'utf8')
if (!TABLE.test(page)) throw new Error(`${PAGE} has no place for the settings`)
const text = page.replace(TABLE, (_, before, after) => before + table + after)
writeFileSync(PAGE, await format(text, { parser: 'markdown', printWidth: 110 }))
