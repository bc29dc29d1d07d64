import { createHash } from 'node:crypto'
import { Entity } from 'typeorm'
import type { Id } from '../../../domain/ids.ts'
import type { Instant } from '../../../domain/time.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  KeyColumn,
  LongTextColumn,
  TextColumn,
} from '../../../storage/sql/columns.ts'

/** Row of a GraphQL document that an application has published. */
@Entity('trusted_documents')
@Indexes(['applicationId', 'textHash'])
export class TrustedDocument {
  /** Hash of the application and the id of the document. */
  @KeyColumn()
  id: string

  @IdColumn()
  applicationId: Id<'application'>

  /** Id by which clients request the document, usually a hash of its text. */
  @TextColumn()
  documentId: string

  @IdColumn()
  textHash: string

  @LongTextColumn()
  text: string

  @InstantColumn()
  publishedAt: Instant
}

/** Returns the row id of a document. */
export const rowIdOf = (applicationId: Id<'application'>, documentId: string): string =>
  hashOf(`${applicationId} ${documentId}`)

/** Returns the hash by which the text of a document is found. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')
