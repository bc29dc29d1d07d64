import { Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql'
import { type IftaFuel, IftaFuelEnum } from './ifta-fuel.ts'

@ObjectType({
  simpleResolvers: true,
  description:
    'A line of a return. Its numbers are whole kilometers and liters, or whole miles and US gallons.',
})
export class IftaReturnLine {
  @Field(() => String, {
    nullable: true,
    description: 'The state or province as two letters. Null for what has no known one.',
  })
  jurisdiction: string | null

  @Field(() => Boolean, {
    description:
      'Whether the jurisdiction is a member of the agreement. What was driven and bought in other places counts only for the mean consumption.',
  })
  isMember: boolean

  @Field(() => Float, { description: 'The distance.' })
  distance: number

  @Field(() => Float, { description: 'The fuel bought. In a member, its tax is paid.' })
  bought: number

  @Field(() => Float, {
    nullable: true,
    description:
      'The fuel used, which is taxable: `distance` divided by `distancePerFuel`. Null outside of members, and without a mean consumption.',
  })
  used: number | null

  @Field(() => Float, {
    nullable: true,
    description: 'The net taxable fuel: `used` less `bought`. A negative number is a credit.',
  })
  net: number | null
}

@ObjectType({
  simpleResolvers: true,
  description: 'The numbers of a return: the totals of a fleet, and a line for each jurisdiction.',
})
export class IftaReturn {
  @Field(() => Float, {
    nullable: true,
    description:
      'The mean consumption as kilometers for a liter or miles for a gallon: `distance` divided by `bought`, rounded to two decimals. Null without a distance or fuel.',
  })
  distancePerFuel: number | null

  @Field(() => Float, { description: 'The distance of all lines.' })
  distance: number

  @Field(() => Float, { description: 'The fuel bought of all lines.' })
  bought: number

  @Field(() => Float, { nullable: true, description: 'The fuel used in members.' })
  used: number | null

  @Field(() => Float, { description: 'The fuel bought in members, whose tax is paid.' })
  taxPaid: number

  @Field(() => Float, { nullable: true, description: 'The net taxable fuel: `used` less `taxPaid`.' })
  net: number | null

  @Field(() => [IftaReturnLine], {
    description: 'The lines in the order of the jurisdiction, with the unknown one at the end.',
  })
  jurisdictions: IftaReturnLine[]
}

/** What a report lacks, or cannot assign. */
export enum IftaReportGapKind {
  DISTANCE_WITHOUT_JURISDICTION = 'distance_without_jurisdiction',
  DISTANCE_WITHOUT_FUEL_TYPE = 'distance_without_fuel_type',
  DISTANCE_WITHOUT_FUEL = 'distance_without_fuel',
  FUEL_WITHOUT_JURISDICTION = 'fuel_without_jurisdiction',
  FUEL_WITHOUT_FUEL_TYPE = 'fuel_without_fuel_type',
  FUEL_OF_OTHER_VEHICLES = 'fuel_of_other_vehicles',
  CAPTURES_WITHOUT_LITERS = 'captures_without_liters',
  CAPTURES_WITHOUT_PRODUCT = 'captures_without_product',
  MONTHS_WITHOUT_DISTANCE = 'months_without_distance',
}

registerEnumType(IftaReportGapKind, {
  name: 'IftaReportGapKind',
  description: 'What a report lacks, or cannot assign.',
  valuesConfig: {
    DISTANCE_WITHOUT_JURISDICTION: {
      description: 'A distance whose state or province is unknown. `count` is the number of vehicles.',
    },
    DISTANCE_WITHOUT_FUEL_TYPE: {
      description:
        'The distance of vehicles whose fuel type is unknown. It is in no report. `count` is their number.',
    },
    DISTANCE_WITHOUT_FUEL: {
      description:
        'The distance of vehicles without a capture of this fuel that has liters in the quarter. It counts for the mean consumption. `count` is their number.',
    },
    FUEL_WITHOUT_JURISDICTION: {
      description:
        'Liters that were bought outside of the US and Canada, or at merchants whose state or province is unknown. `count` is the number of captures.',
    },
    FUEL_WITHOUT_FUEL_TYPE: {
      description:
        'Liters of this fuel for vehicles whose fuel type is unknown. The report lacks them. `count` is the number of captures.',
    },
    FUEL_OF_OTHER_VEHICLES: {
      description:
        'Liters of this fuel for vehicles that do not use it. The report lacks them. `count` is the number of captures.',
    },
    CAPTURES_WITHOUT_LITERS: {
      description: 'Captures without liters. `count` is their number.',
    },
    CAPTURES_WITHOUT_PRODUCT: {
      description:
        'Captures with liters, but without a product. The report lacks them. `count` is their number.',
    },
    MONTHS_WITHOUT_DISTANCE: {
      description:
        'Months that are over in which vehicles have no distance, although they have fuel or a distance in the quarter. `count` is the number of months of all these vehicles.',
    },
  },
})

@ObjectType({ simpleResolvers: true, description: 'Something that a report lacks, or cannot assign.' })
export class IftaReportGap {
  @Field(() => IftaReportGapKind, { description: 'What it is.' })
  kind: IftaReportGapKind

  @Field(() => Int, { description: 'The number of vehicles, captures or months, by the kind.' })
  count: number

  @Field(() => Float, {
    nullable: true,
    description: 'The distance in kilometers. Null unless the gap is a distance.',
  })
  distance: number | null

  @Field(() => Float, { nullable: true, description: 'The liters. Null unless the gap has some.' })
  liters: number | null

  @Field(() => String, { description: 'What to do about it.' })
  text: string
}

@ObjectType({
  simpleResolvers: true,
  description:
    'The distances and the fuel of a quarter for the International Fuel Tax Agreement (IFTA). Rates and taxes are not part of it.',
})
export class IftaReport {
  @Field(() => String, { description: 'The quarter, such as 2026-Q3.' })
  quarter: string

  @Field(() => IftaFuelEnum, { description: 'The fuel.' })
  fuel: IftaFuel

  @Field(() => Boolean, { description: 'Whether the quarter is over in the time zones of all fleets.' })
  isComplete: boolean

  @Field(() => IftaReturn, {
    description: 'The return in kilometers and liters, as carriers of Canada file it.',
  })
  metric: IftaReturn

  @Field(() => IftaReturn, {
    description: 'The return in miles and US gallons, as carriers of the US file it.',
  })
  us: IftaReturn

  @Field(() => [IftaReportGap], {
    description: 'What the report lacks, or cannot assign. Empty if nothing is known to be missing.',
  })
  gaps: IftaReportGap[]
}
