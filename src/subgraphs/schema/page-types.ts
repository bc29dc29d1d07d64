import { type ClassType, ArgsType, Directive, Field, Int, ObjectType } from 'type-graphql'
import type { Page, PageRequest } from '../../storage/pagination/pagination.ts'
import { Computed } from './build-subgraph.ts'

/** Relay-shaped pages: `VehiclePage { edges { cursor node } nodes pageInfo }`. */

@ArgsType()
export class PageArgs implements PageRequest {
  @Field(() => Int, {
    nullable: true,
    description: 'How many records from the start, 100 unless told; 1,000 at most.',
  })
  first?: number | null

  @Field(() => String, { nullable: true, description: 'Only what follows this cursor.' })
  after?: string | null

  @Field(() => Int, { nullable: true, description: 'How many records from the end.' })
  last?: number | null

  @Field(() => String, { nullable: true, description: 'Only what precedes this cursor.' })
  before?: string | null
}

/** The same of series, whose pages are longer. */
@ArgsType()
export class SeriesArgs extends PageArgs {
  @Field(() => Int, {
    nullable: true,
    description: 'How many points from the start, 500 unless told; 10,000 at most.',
  })
  override first?: number | null
}

@Directive('@shareable')
@ObjectType({ simpleResolvers: true, description: 'Where a page lies in its list.' })
export class PageInfo {
  @Field(() => Boolean, { description: 'There is more after this page.' })
  hasNextPage: boolean

  @Field(() => Boolean, { description: 'There is more before this page.' })
  hasPreviousPage: boolean

  @Field(() => String, { nullable: true, description: 'The cursor of the first record of the page.' })
  @Computed((page: Page<unknown>) => cursorAt(page, 0))
  startCursor: string | null

  @Field(() => String, {
    nullable: true,
    description: 'The cursor of the last record of the page: the next `after`.',
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

/** The page type of a record type; its fields are answered from a `Page` of rows. */
export function pageType<Row extends object>(name: string, record: () => ClassType<Row>) {
  @ObjectType(`${name}Edge`, { simpleResolvers: true, description: `A ${name} in a page.` })
  class RecordEdge {
    @Field(() => String, { description: 'Where this record stands in the list.' })
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

    @Field(() => [record()], { description: 'The records alone.' })
    @Computed((page: Page<Row>) => page.rows)
    nodes: Row[]

    @Field(() => PageInfo, { description: 'Where the page lies in the list.' })
    @Computed((page: Page<Row>) => page)
    pageInfo: PageInfo

    @Field(() => Int, {
      description: 'How many records the whole list has. They are counted when it is asked for.',
    })
    @Computed((page: Page<Row>) => page.count())
    totalCount: number
  }

  return RecordPage
}
