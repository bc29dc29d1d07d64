import { Directive, Field, ID, Int, InterfaceType, ObjectType, registerEnumType } from 'type-graphql'
import { Entity } from 'typeorm'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  LongTextColumn,
  NumberColumn,
  TextColumn,
} from '../../storage/sql/columns.ts'
import { Computed, Loaded } from '../schema/build-subgraph.ts'
import { Node } from '../schema/node-interface.ts'
import { DateTime } from '../schema/scalars.ts'
import { LIST_INDEXES, listIndexesBy, ProviderRecord } from '../tables/provider-record.ts'
import { entityRef, type EntityRef } from '../schema/entity-references.ts'
import { RawData, RecordMetadata } from '../schema/value-types.ts'
import { RecordsVehicleExtension } from './entity-extensions.ts'
import type { RawContext } from './raw-context.ts'
import { ConnectionField } from '../schema/graph-only-fields.ts'

export enum FaultCodeStatus {
  OPEN = 'open',
  PENDING = 'pending',
  CLOSED = 'closed',
}

registerEnumType(FaultCodeStatus, {
  name: 'FaultCodeStatus',
  description: 'The status of a fault.',
  valuesConfig: {
    OPEN: { description: 'The fault is present.' },
    PENDING: { description: 'The fault was observed but is not confirmed.' },
    CLOSED: { description: 'The fault is no longer present.' },
  },
})

export enum FaultCodeProtocol {
  J1939 = 'j1939',
  OBDII = 'obdii',
}

registerEnumType(FaultCodeProtocol, {
  name: 'FaultCodeProtocol',
  description: 'The standard by which a vehicle reports faults.',
  valuesConfig: {
    J1939: { description: 'SAE J1939, for heavy vehicles.' },
    OBDII: { description: 'OBD-II, for light vehicles.' },
  },
})

export enum MilStatus {
  ON = 'on',
  OFF = 'off',
}

registerEnumType(MilStatus, {
  name: 'MilStatus',
  description: 'The state of the malfunction indicator lamp.',
  valuesConfig: {
    ON: { description: 'The malfunction indicator lamp is lit.' },
    OFF: { description: 'The lamp is not lit.' },
  },
})

@Entity('fault_code_events')
@Indexes(...LIST_INDEXES, ...listIndexesBy('observedAt', 'vehicleId'))
@InterfaceType('FaultCodeEvent', {
  implements: Node,
  autoRegisterImplementations: false,
  description: 'A diagnostic trouble code of a vehicle, in J1939 or OBD-II.',
})
export abstract class FaultCodeEvent extends ProviderRecord {
  @ConnectionField()
  connection?: EntityRef | null

  // type-graphql does not inherit fields of a superclass into an interface, so they are repeated here.
  @Field(() => ID, { description: "The record's id in the provider's system." })
  override sourceId: string

  @Field(() => String, { description: "The provider's code." })
  override provider: string

  @Field(() => FaultCodeProtocol, { description: 'The standard of the code.' })
  @IdColumn()
  protocol: FaultCodeProtocol

  @IdColumn()
  vehicleId: string

  @Field(() => RecordsVehicleExtension, {
    nullable: true,
    description: 'The vehicle that reported the code.',
  })
  @Computed((row: FaultCodeEvent) => entityRef(row.vehicleId))
  vehicle?: RecordsVehicleExtension | null

  @Field(() => FaultCodeStatus, { description: 'The status of the fault.' })
  @IdColumn()
  status: FaultCodeStatus

  @Field(() => String, { description: 'The trouble code, such as P0087 or SPN100-FMI1.' })
  @TextColumn()
  code: string

  @Field(() => String, { nullable: true, description: 'The meaning of the code.' })
  @LongTextColumn({ nullable: true })
  description: string | null

  @Field(() => DateTime, { description: 'When the vehicle reported the code.' })
  @InstantColumn()
  observedAt: number

  @Field(() => MilStatus, { nullable: true, description: 'The state of the malfunction indicator lamp.' })
  @IdColumn({ nullable: true })
  milStatus: MilStatus | null

  @NumberColumn({ nullable: true })
  spn: number | null

  @TextColumn({ nullable: true })
  spnDescription: string | null

  @NumberColumn({ nullable: true })
  fmi: number | null

  @TextColumn({ nullable: true })
  fmiDescription: string | null

  @NumberColumn({ nullable: true })
  occurrenceCount: number | null

  @NumberColumn({ nullable: true })
  sourceAddress: number | null

  @Field(() => RecordMetadata, { description: 'When Odograph stored and changed the record.' })
  @Computed((row: FaultCodeEvent) => row)
  metadata?: RecordMetadata

  @Field(() => [RawData], { description: "The provider's records from which this record was mapped." })
  @Loaded((row: FaultCodeEvent, { records }: RawContext) => records.raw.load(row.id))
  raw?: RawData[]
}

@ObjectType('J1939FaultCode', { simpleResolvers: true, description: 'The parts of an SAE J1939 fault code.' })
export class J1939FaultCode {
  @Field(() => Int, { description: 'The suspect parameter number.' })
  spn: number

  @Field(() => String, { nullable: true, description: 'The name of the suspect parameter.' })
  spnDescription: string | null

  @Field(() => Int, { nullable: true, description: 'The failure mode identifier, 0 to 31.' })
  fmi: number | null

  @Field(() => String, { nullable: true, description: 'The failure mode in words.' })
  fmiDescription: string | null

  @Field(() => Int, { nullable: true, description: 'The number of occurrences.' })
  occurrenceCount: number | null

  @Field(() => Int, {
    nullable: true,
    description: 'The address of the control unit that reported the fault.',
  })
  sourceAddress: number | null
}

@ObjectType('ObdiiFaultCode', { simpleResolvers: true, description: 'The parts of an OBD-II fault code.' })
export class ObdiiFaultCode {
  @Field(() => String, { description: 'The trouble code, such as P0087.' })
  code: string

  @Field(() => String, { nullable: true, description: 'The meaning of the code.' })
  description: string | null
}

@Directive('@key(fields: "id")')
@ObjectType('J1939FaultCodeEvent', {
  implements: [Node, FaultCodeEvent],
  simpleResolvers: true,
  description: 'A diagnostic trouble code of a heavy vehicle.',
})
export class J1939FaultCodeEvent extends FaultCodeEvent {
  @Field(() => J1939FaultCode, { description: 'The parts of the code.' })
  @Computed((row: FaultCodeEvent) => row)
  j1939?: J1939FaultCode
}

@Directive('@key(fields: "id")')
@ObjectType('ObdiiFaultCodeEvent', {
  implements: [Node, FaultCodeEvent],
  simpleResolvers: true,
  description: 'A diagnostic trouble code of a light vehicle.',
})
export class ObdiiFaultCodeEvent extends FaultCodeEvent {
  @Field(() => ObdiiFaultCode, { description: 'The parts of the code.' })
  @Computed((row: FaultCodeEvent) => row)
  obdii?: ObdiiFaultCode
}

export const faultCodeTypeOf = ({ protocol }: Pick<FaultCodeEvent, 'protocol'>): string =>
  protocol === FaultCodeProtocol.J1939 ? 'J1939FaultCodeEvent' : 'ObdiiFaultCodeEvent'
