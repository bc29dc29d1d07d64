import type { Command } from 'commander'
import { GraphQLError, type GraphQLSchema, Kind, parse, validate } from 'graphql'
import { keyHolder } from '../../auth/caller.ts'
import { toIso } from '../../domain/time.ts'
import { compose } from '../../gateway/compose.ts'
import { subgraphs } from '../../gateway/subgraphs.ts'
import { isObject } from '../../platform/is-object.ts'
import {
  type NewDocument,
  publishDocuments,
} from '../../subgraphs/connections/trusted-documents/publish-documents.ts'
import { removeDocument } from '../../subgraphs/connections/trusted-documents/remove-document.ts'
import type { TrustedDocument } from '../../subgraphs/connections/trusted-documents/trusted-document.ts'
import { CliError } from '../cli-error.ts'
import { type CommandContext, withCommandContext } from '../command-context.ts'
import { applicationCommand, type ApplicationOption } from '../application-command.ts'
import { findApplicationById } from '../find-application.ts'
import { readJsonFile } from '../json-file.ts'
import type { CommandGroup } from '../program.ts'

interface PublishOptions extends ApplicationOption {
  readonly validate: boolean
}

const APPLICATION = 'app_01M7XZ3JF90H8EC8HYVB2R0P6F'

export const operationCommands: CommandGroup = {
  addTo(group: Command) {
    const command = (name: string, description: string) => applicationCommand(group, name, description)
    command('list', 'list the published documents, newest first').action(withCommandContext(list))
    command('publish <file>', 'publish the documents of a JSON file; those published before stay')
      .option('--no-validate', 'accept documents that do not fit the schema of this release')
      .addHelpText(
        'after',
        `${FORMATS}\n\nExample:\n  $ odograph operations publish persisted-documents.json --application ${APPLICATION}`,
      )
      .action(withCommandContext(publish))
    command('remove <document-id>', 'remove a document; clients that request it are refused').action(
      withCommandContext(remove),
    )
  },
}

const FORMATS = `
The file is what your build writes: {"<id>": "<document>"} of Relay or GraphQL Code Generator, or
the persisted query manifest of Apollo. To permit nothing else, use
\`odograph applications update <id> --documents only\`, or \`odograph keys create --documents only\`.`

async function list({ db, output }: CommandContext, { application }: ApplicationOption): Promise<void> {
  await findApplicationById({ db }, application)
  const rows = await db.rows<TrustedDocument>(
    'SELECT `documentId`, `text`, `publishedAt` FROM `trusted_documents` WHERE `applicationId` = ? ORDER BY `publishedAt` DESC, `documentId`',
    [application],
  )
  output.list(
    rows.map(({ documentId, text, publishedAt }) => ({
      documentId,
      operations: operationNames(text).join(','),
      publishedAt: toIso(Number(publishedAt)),
    })),
  )
}

async function publish(
  { db, clock, output }: CommandContext,
  { application, validate: isValidated }: PublishOptions,
  file: string,
): Promise<void> {
  await findApplicationById({ db }, application)
  const documents = documentsIn(await readJsonFile(file), file)
  if (isValidated) requireValid(documents)
  const { added, unchanged } = await publishDocuments({ db, clock }, keyHolder(application), documents)
  output.one({ added, unchanged })
  output.say('The gateways know the documents within 3 seconds.')
}

async function remove(
  { db, clock, output }: CommandContext,
  { application }: ApplicationOption,
  documentId: string,
): Promise<void> {
  await findApplicationById({ db }, application)
  await removeDocument({ db, clock }, keyHolder(application), documentId)
  output.say(`${documentId} is removed. The gateways refuse it within 3 seconds.`)
}

/** Returns the documents of a file in one of the formats that builds write. */
function documentsIn(content: unknown, file: string): NewDocument[] {
  const documents = isObject(content) ? (apolloManifest(content) ?? documentMap(content)) : null
  if (documents === null)
    throw new CliError(
      `${file} must contain {"<id>": "<document>"}, or a persisted query manifest of Apollo: see --help`,
    )
  if (documents.length === 0) throw new CliError(`${file} contains no documents`)
  return documents
}

function apolloManifest({
  format,
  operations: entries,
}: Readonly<Record<string, unknown>>): NewDocument[] | null {
  if (format !== 'apollo-persisted-query-manifest' || !Array.isArray(entries)) return null
  const documents = entries.map((entry: unknown) =>
    documentOf(isObject(entry) ? [entry['id'], entry['body']] : []),
  )
  return documents.every((document) => document !== null) ? documents : null
}

function documentMap(content: Readonly<Record<string, unknown>>): NewDocument[] | null {
  const documents = Object.entries(content).map(documentOf)
  return documents.every((document) => document !== null) ? documents : null
}

const documentOf = ([documentId, text]: readonly unknown[]): NewDocument | null =>
  typeof documentId === 'string' && typeof text === 'string' ? { documentId, text } : null

/** Number of problems that an error lists. */
const MAX_PROBLEMS = 5

function requireValid(documents: readonly NewDocument[]): void {
  const { apiSchema } = compose(subgraphs)
  const problems = documents.flatMap(({ documentId, text }) =>
    problemsOf(text, apiSchema).map((message) => `${documentId}: ${message}`),
  )
  if (problems.length === 0) return
  const listed = problems.slice(0, MAX_PROBLEMS).join(' ')
  const more = problems.length > MAX_PROBLEMS ? ` And ${problems.length - MAX_PROBLEMS} more.` : ''
  throw new CliError(
    `nothing is published, because documents do not fit the schema. ${listed}${more} With subgraphs of your own, use --no-validate.`,
  )
}

function problemsOf(text: string, schema: GraphQLSchema): string[] {
  try {
    return validate(schema, parse(text)).map(({ message }) => message)
  } catch (error) {
    if (error instanceof GraphQLError) return [error.message]
    throw error
  }
}

const operationNames = (text: string): string[] =>
  parse(text).definitions.flatMap((node) =>
    node.kind === Kind.OPERATION_DEFINITION ? (node.name?.value ?? 'anonymous') : [],
  )
