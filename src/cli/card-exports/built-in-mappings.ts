import { type MappingJson, PURCHASE_COLUMNS } from './mapping-schema.ts'

/** Mappings of known exports. The columns of WEX and EFS are those that public parsers of their files read. */
export const builtInMappings = {
  odograph: {
    columns: Object.fromEntries(PURCHASE_COLUMNS.map((name) => [name, name])),
    required: ['at', 'merchantName', 'amount', 'currency'],
    otherColumns: 'refused',
  },
  wex: {
    columns: {
      at: 'Transaction Date',
      time: 'Transaction Time',
      vin: 'VIN',
      vehicle: ['Custom Vehicle/Asset ID', 'Emboss Line 2'],
      cardId: 'Card Number',
      merchantName: ['Merchant Name', 'Merchant (Brand)'],
      siteId: 'Merchant Site ID',
      line1: 'Merchant Address',
      city: 'Merchant City',
      state: 'Merchant State / Province',
      postalCode: 'Merchant Postal Code',
      amount: 'Total Fuel Cost',
      product: ['Product Description', 'Product'],
      quantity: 'Units',
      unit: 'Unit of Measure',
      unitPrice: 'Unit Cost',
    },
    required: ['at', 'time', 'merchantName', 'amount', 'product', 'quantity', 'unit'],
    constants: { currency: 'USD', country: 'US' },
    dateFormats: ['MM/DD/YYYY', 'YYYY-MM-DD', 'MM/DD/YY'],
  },
  efs: {
    columns: {
      at: 'Tran Date',
      time: 'Tran Time',
      vehicle: 'Unit',
      cardId: 'Card #',
      merchantName: 'Location Name',
      city: 'City',
      state: 'State/ Prov',
      amount: 'Amt',
      currency: 'Currency',
      product: 'Item',
      gallons: 'Qty',
      unitPrice: 'Unit Price',
    },
    required: ['at', 'merchantName', 'amount', 'product', 'gallons'],
    constants: { currency: 'USD', country: 'US' },
    dateFormats: ['YYYY-MM-DD', 'MM/DD/YYYY', 'MM/DD/YY'],
  },
} as const satisfies Readonly<Record<string, MappingJson>>

/** Names of the built-in mappings. */
export const EXPORT_FORMATS = Object.keys(builtInMappings) as readonly (keyof typeof builtInMappings)[]
