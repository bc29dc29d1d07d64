import { readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { CriticalityLevel, diff, validate } from '@graphql-inspector/core'
import { buildSchema, Source } from 'graphql'

// Runs GraphQL Inspector on schema/api.graphql. It reports changes that break callers of the last release,
// invalid operations of this folder, and their deprecated fields. Only its core is installed: the command
// line is ten times its size.

const root = join(import.meta.dirname, '../..')
const textOf = (path) => readFileSync(join(root, path), 'utf8')

const published = buildSchema(textOf('schema/published.graphql'))
const current = buildSchema(textOf('schema/api.graphql'))

const folder = 'test/tools/operations'
const operations = readdirSync(join(root, folder)).map(
  (name) => new Source(textOf(join(folder, name)), join(folder, name)),
)

const changes = await diff(published, current)
const problems = [
  ...changes
    .filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
    .map(({ message, path }) => `schema/api.graphql breaks schema/published.graphql at ${path}: ${message}`),
  ...validate(current, operations).flatMap(({ source, errors, deprecated }) =>
    [...errors, ...deprecated].map(({ message }) => `${relative(root, source.name)}: ${message}`),
  ),
]
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`)
  process.exitCode = 1
}
