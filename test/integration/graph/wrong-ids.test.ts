import {
  type GraphQLArgument,
  type GraphQLObjectType,
  getNamedType,
  isListType,
  isNonNullType,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import { idPrefixes, type Kind } from '../../../src/domain/ids.ts'
import { isNodeKind } from '../../../src/domain/record-models.ts'
import { maskErrors } from '../../../src/gateway/error-masking.ts'
import { chooseOperation, type Operation } from '../../../src/gateway/operation.ts'
import type { Database } from '../../../src/storage/database.ts'
import {
  type ApiClient,
  callerOf,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
  unknownId,
} from '../../support/factories.ts'
import { kinds, requiredArguments } from '../../support/graph/foreign-access-attempts.ts'
import {
  ask,
  contextsOver,
  credentialsOf,
  documentOf,
  silent,
  supergraph,
} from '../../support/graph/graph-harness.ts'

const executor = createInProcessExecutor(supergraph)

/** Arguments that are names, or ids of records of several kinds. */
const NOT_OF_ONE_KIND = ['auditLog.actorId', 'auditLog.targetId', 'request.requestId', 'requests.requestId']

/** Arguments for the id of an event of the log, which have errors of their own. */
const EVENT_POSITIONS = ['events.after', 'events.before']

interface IdArgument {
  readonly field: string
  readonly argument: GraphQLArgument
  readonly isPage: boolean
}

const idArgumentsOf = (root: GraphQLObjectType | null | undefined): readonly IdArgument[] =>
  Object.values(root!.getFields()).flatMap(({ name, type, args }) =>
    args
      .filter((argument) => getNamedType(argument.type).name === 'ID')
      .filter((argument) => ![...NOT_OF_ONE_KIND, ...EVENT_POSITIONS].includes(`${name}.${argument.name}`))
      .map((argument) => ({ field: name, argument, isPage: String(type).endsWith('Page') })),
  )

const idArguments = idArgumentsOf(supergraph.apiSchema.getQueryType())
const idArgumentsOfSubscriptions = idArgumentsOf(supergraph.apiSchema.getSubscriptionType())

/** Kinds of which an argument takes ids: the field's own for `id`, or the one that the argument names. */
const kindsOf = ({ field, argument: { name } }: IdArgument): readonly Kind[] => {
  if (field === 'node' || field === 'nodes') return kinds.filter(isNodeKind)
  return [(name === 'id' ? field : name.replace(/Ids?$/, '')) as Kind]
}

let db: Database & AsyncDisposable
let contextFor: ContextFor
let seeded: SeededApplication

beforeAll(async () => {
  db = await temporaryDatabase('sqlite')
  contextFor = contextsOver(db)
  seeded = await seedApplication(db, [() => ({})])
})
afterAll(() => db[Symbol.asyncDispose]())

const read = ({ field, argument, isPage }: IdArgument, id: string, client: ApiClient = seeded.client) => {
  const selection = isPage ? 'totalCount' : '__typename'
  return ask(executor, contextFor, {
    client,
    document: documentOf(
      `query ($id: ${argument.type}) { ${field}(${requiredArguments[field] ?? ''}${argument.name}: $id) { ${selection} } }`,
    ),
    variables: { id: takesList(argument) ? [id] : id },
  })
}

const takesList = ({ type }: GraphQLArgument) => isListType(isNonNullType(type) ? type.ofType : type)

/** Starts a subscription. Its errors are those at the start; a stream that starts is closed. */
async function subscribe({ field, argument }: IdArgument, id: string) {
  const { client } = seeded
  const text = `subscription ($id: ${argument.type}) { ${field}(${argument.name}: $id) { __typename } }`
  const source = await executor.source({
    operation: chooseOperation(documentOf(text), undefined) as Operation,
    variables: { id: takesList(argument) ? [id] : id },
    context: contextFor({ caller: callerOf(client), credentials: credentialsOf(client) }),
  })
  if (!(Symbol.asyncIterator in source)) return maskErrors(source, silent).errors
  await source[Symbol.asyncIterator]().return?.()
  return []
}

const refusal = ({ field, argument: { name } }: IdArgument) => [
  {
    message: expect.stringContaining('id'),
    path: [field],
    extensions: { code: 'BAD_USER_INPUT', detail: [{ path: name }] },
  },
]

const idsOfOtherKinds = (given: IdArgument) => [
  'foo',
  '',
  '1',
  ...kinds.filter((kind) => !kindsOf(given).includes(kind)).map(unknownId),
]

describe.each(idArguments.map((given) => [`${given.field}(${given.argument.name}:)`, given] as const))(
  '%s',
  (_, given) => {
    test('takes ids of known kinds', () => {
      expect(kindsOf(given).filter((kind) => !(kind in idPrefixes))).toEqual([])
    })

    test('finds nothing by an unknown id of its kind', async () => {
      for (const kind of kindsOf(given)) expect((await read(given, unknownId(kind))).errors).toBeUndefined()
    })

    test('refuses a text that is no id, and an id of another kind', async () => {
      for (const id of idsOfOtherKinds(given))
        expect((await read(given, id)).errors).toMatchObject(refusal(given))
    })
  },
)

test('subscriptions have arguments for ids', () => {
  expect(idArgumentsOfSubscriptions.map(({ field, argument }) => `${field}.${argument.name}`)).toEqual(
    expect.arrayContaining(['events.connectionIds', 'syncProgress.syncId', 'vehicleLocations.vehicleIds']),
  )
})

test.each(
  idArgumentsOfSubscriptions.map((given) => [`${given.field}(${given.argument.name}:)`, given] as const),
)('the subscription %s refuses a text that is no id, and an id of another kind', async (_, given) => {
  for (const id of idsOfOtherKinds(given))
    expect(JSON.parse(JSON.stringify(await subscribe(given, id)))).toMatchObject(refusal(given))
})
