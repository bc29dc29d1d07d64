import { type ClassType, ArgsType, Directive, Field, Int, ObjectType } from 'type-graphql'
import type { Limits } from '../../storage/pagination/list-query.ts'
import { listLimits, type Page, type PageRequest } from '../../storage/pagination/pagination.ts'
import { Computed } from './build-subgraph.ts'

// Page types in the shape of Relay connections, such as `VehiclePage { edges { cursor node } nodes pageInfo }`.

@ArgsType()
export class PageArgs implements PageRequest {
  @Field(() => Int, {
    nullable: true,
    description: 'Number of records from the start of the list. Default 100, maximum 1,000.',
  })
  first?: number | null

  @Field(() => String, { nullable: true, description: 'Only records after this cursor.' })
  after?: string | null

  @Field(() => Int, { nullable: true, description: 'Number of records from the end of the list.' })
  last?: number | null

  @Field(() => String, { nullable: true, description: 'Only records before this cursor.' })
  before?: string | null
}

/** Page arguments of time series, whose pages are longer. */
@ArgsType()
export class SeriesArgs extends PageArgs {
  @Field(() => Int, {
    nullable: true,
    description: 'Number of points from the start of the series. Default 500, maximum 10,000.',
  })
  override first?: number | null
}

@Directive('@shareable')
@ObjectType({ simpleResolvers: true, description: 'Position of a page in its list.' })
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether more records follow this page.' })
  hasNextPage: boolean

  @Field(() => Boolean, { description: 'Whether more records precede this page.' })
  hasPreviousPage: boolean

  @Field(() => String, {
    nullable: true,
    description: 'The cursor of the first record of the page. Null if the page is empty.',
  })
  @Computed((page: Page<unknown>) => cursorAt(page, 0))
  startCursor: string | null

  @Field(() => String, {
    nullable: true,
    description:
      'The cursor of the last record of the page. Pass it as `after` to get the next page. Null if the page is empty.',
  })
  @Computed((page: Page<unknown>) => cursorAt(page, page.rows.length - 1))
  endCursor: string | null
}

const cursorAt = <Row>({ rows, cursorOf }: Page<Row>, index: number): string | null => {
  const row = rows[index]
  return row === undefined ? null : cursorOf(row)
}

interface Edge<Row> {
  readonly page: Page<Row>
  readonly node: Row
}

const limitsByType = new Map<string, Limits>()

/**
 * Returns the default and maximum page size of a page type, by which the gateway estimates the cost of an operation.
 * Undefined for any other type, and for the page types of custom subgraphs.
 */
export const limitsOfPage = (typeName: string): Limits | undefined => limitsByType.get(typeName)

/** Creates the GraphQL page type of a record type. Its fields are resolved from a `Page` of rows. */
export function pageType<Row extends object>(
  name: string,
  record: () => ClassType<Row>,
  limits: Limits = listLimits,
) {
  limitsByType.set(`${name}Page`, limits)
  @ObjectType(`${name}Edge`, { simpleResolvers: true, description: `A record of ${name}Page with its cursor.` })
  class RecordEdge {
    @Field(() => String, { description: 'The position of this record in the list, for `after` and `before`.' })
    @Computed(({ page, node }: Edge<Row>) => page.cursorOf(node))
    cursor: string

    @Field(record, { description: 'The record.' })
    node: Row
  }

  @ObjectType(`${name}Page`, { simpleResolvers: true, description: `A page of a list of ${name} records.` })
  class RecordPage {
    @Field(() => [RecordEdge], { description: 'The records with their cursors.' })
    @Computed((page: Page<Row>) => page.rows.map((node) => ({ page, node })))
    edges: RecordEdge[]

    @Field(() => [record()], { description: 'The records without cursors.' })
    @Computed((page: Page<Row>) => page.rows)
    nodes: Row[]

    @Field(() => PageInfo, { description: 'Position of the page in the list.' })
    @Computed((page: Page<Row>) => page)
    pageInfo: PageInfo

    @Field(() => Int, {
      nullable: true,
      description:
        'Number of records in the whole list. Selecting this field runs an additional count query. Null, with an error, if the count fails.',
    })
    @Computed((page: Page<Row>) => page.count())
    totalCount: number | null
  }

  return RecordPage
}
