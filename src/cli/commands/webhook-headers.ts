import type { Command } from 'commander'
import type { EndpointHeader } from '../../subgraphs/events/webhooks/webhook-header.ts'
import { CliError } from '../cli-error.ts'
import { readSecretFile } from '../secret-file.ts'

/** Options with the custom headers of a webhook endpoint. */
export interface HeaderOptions {
  readonly header?: readonly string[]
  readonly headerFile?: string
  readonly removeHeaders?: boolean
}

/**
 * Adds the options for headers. The action parses their values. If commander parsed them, its error messages would
 * contain the values, which can be secret.
 */
export const addHeaderOptions = (command: Command): Command =>
  command
    .option(
      '--header <header>',
      "header of each request, such as 'X-Api-Key: …'; can be repeated",
      (header: string, earlier: readonly string[] = []) => [...earlier, header],
    )
    .option('--header-file <path>', 'file with more headers, one a line; - reads standard input')

/** Returns the headers of the options: undefined if none is given, null if the option removes all headers. */
export function headersIn({
  header,
  headerFile,
  removeHeaders,
}: HeaderOptions): readonly EndpointHeader[] | null | undefined {
  const isGiven = header !== undefined || headerFile !== undefined
  if (removeHeaders && isGiven)
    throw new CliError(
      'give either --remove-headers, or --header and --header-file, which replace all headers',
      2,
    )
  if (!isGiven) return removeHeaders ? null : undefined
  return [...(header ?? []), ...linesOf(headerFile)].map(toHeader)
}

const linesOf = (path: string | undefined): readonly string[] =>
  path === undefined
    ? []
    : readSecretFile(path)
        .split('\n')
        .filter((line) => line.trim() !== '')

function toHeader(line: string, at: number): EndpointHeader {
  const colon = line.indexOf(':')
  if (colon < 0) throw new CliError(`header ${at + 1} has no colon: give it as 'Name: value'`, 2)
  return { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() }
}
