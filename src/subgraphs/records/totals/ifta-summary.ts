import { Field, Float, ObjectType, registerEnumType } from 'type-graphql'
import { Entity } from 'typeorm'
import { IdColumn, Indexes, NumberColumn } from '../../../storage/sql/columns.ts'
import { Computed } from '../../schema/build-subgraph.ts'
import { Month } from '../../schema/scalars.ts'
import { ProviderRecord } from '../../tables/provider-record.ts'
import { entityRef } from '../../schema/entity-references.ts'
import { RawData } from '../../schema/value-types.ts'
import { RecordsVehicleExtension } from '../entity-extensions.ts'

/** Row of a vehicle's distance in one jurisdiction in one month. Callers only get sums of these rows. */
@Entity('ifta_vehicle_months')
@Indexes(
  ['connectionId', 'vehicleId', 'jurisdiction', 'month'],
  ['applicationId', 'vehicleId', 'jurisdiction', 'month'],
)
export class IftaVehicleMonth extends ProviderRecord {
  @IdColumn()
  vehicleId: string

  /** Two letters; empty if unknown, so that the rows have a sort order. */
  @IdColumn()
  jurisdiction: string

  /** YYYY-MM in the fleet's time zone. */
  @IdColumn()
  month: string

  /** In kilometers. */
  @NumberColumn()
  distance: number
}

export enum IftaGrouping {
  VEHICLE = 'vehicleId',
  JURISDICTION = 'jurisdiction',
  MONTH = 'month',
}

registerEnumType(IftaGrouping, {
  name: 'IftaGrouping',
  description: 'A dimension by which distances are summed.',
  valuesConfig: {
    VEHICLE: { description: 'One sum per vehicle.' },
    JURISDICTION: { description: 'One sum per state or province.' },
    MONTH: { description: 'One sum per month.' },
  },
})

@ObjectType('IftaSummary', {
  simpleResolvers: true,
  description: 'A sum of distances for the International Fuel Tax Agreement (IFTA).',
})
export class IftaSummary {
  vehicleId?: string

  @Field(() => String, { description: "The provider's code." })
  provider: string

  @Field(() => RecordsVehicleExtension, {
    nullable: true,
    description: 'The vehicle. Null unless distances are summed by vehicle.',
  })
  @Computed((row: IftaSummary) => entityRef(row.vehicleId ?? null))
  vehicle?: RecordsVehicleExtension | null

  @Field(() => String, {
    nullable: true,
    description:
      'The US state or Canadian province as two letters. Null if unknown, or unless distances are summed by jurisdiction.',
  })
  @Computed((row: IftaSummary) => row.jurisdiction || null)
  jurisdiction?: string | null

  @Field(() => Month, {
    nullable: true,
    description: 'The month. Null unless distances are summed by month.',
  })
  month?: string | null

  @Field(() => Float, { description: 'The distance in kilometers, rounded to the meter.' })
  distance: number

  @Field(() => [RawData], { description: "The provider's records from which the sum was computed." })
  @Computed((row: IftaSummary) => row.rawOf())
  raw?: RawData[]

  rawOf: () => Promise<readonly unknown[]>
}
