/**
 * Two-letter code of a US state, DC or territory, or of a Canadian province or territory. The text is its code or name,
 * in upper or lower case. Null for any other text, because the API has no other codes.
 */
export const toStateCode = (text: string | null): string | null =>
  codeByName.get(normalizeName(text ?? '')) ?? null

/** Removes case, accents, punctuation and spaces. */
const normalizeName = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\p{M}\p{P}\s]/gu, '')
    .toLowerCase()

/** Names of each code, separated by commas. Some are former codes: NF was the code of Newfoundland. */
const namesByCode: Readonly<Record<string, string>> = {
  AL: 'Alabama',
  AK: 'Alaska',
  AZ: 'Arizona',
  AR: 'Arkansas',
  CA: 'California',
  CO: 'Colorado',
  CT: 'Connecticut',
  DE: 'Delaware',
  DC: 'District of Columbia, Washington DC',
  FL: 'Florida',
  GA: 'Georgia',
  HI: 'Hawaii',
  ID: 'Idaho',
  IL: 'Illinois',
  IN: 'Indiana',
  IA: 'Iowa',
  KS: 'Kansas',
  KY: 'Kentucky',
  LA: 'Louisiana',
  ME: 'Maine',
  MD: 'Maryland',
  MA: 'Massachusetts',
  MI: 'Michigan',
  MN: 'Minnesota',
  MS: 'Mississippi',
  MO: 'Missouri',
  MT: 'Montana',
  NE: 'Nebraska',
  NV: 'Nevada',
  NH: 'New Hampshire',
  NJ: 'New Jersey',
  NM: 'New Mexico',
  NY: 'New York',
  NC: 'North Carolina',
  ND: 'North Dakota',
  OH: 'Ohio',
  OK: 'Oklahoma',
  OR: 'Oregon',
  PA: 'Pennsylvania',
  RI: 'Rhode Island',
  SC: 'South Carolina',
  SD: 'South Dakota',
  TN: 'Tennessee',
  TX: 'Texas',
  UT: 'Utah',
  VT: 'Vermont',
  VA: 'Virginia',
  WA: 'Washington',
  WV: 'West Virginia',
  WI: 'Wisconsin',
  WY: 'Wyoming',
  AS: 'American Samoa',
  GU: 'Guam',
  MP: 'Northern Mariana Islands',
  PR: 'Puerto Rico',
  UM: 'United States Minor Outlying Islands',
  VI: 'US Virgin Islands, United States Virgin Islands',
  AB: 'Alberta',
  BC: 'British Columbia',
  MB: 'Manitoba',
  NB: 'New Brunswick',
  NL: 'Newfoundland and Labrador, Newfoundland Labrador, Newfoundland, NF',
  NS: 'Nova Scotia',
  NT: 'Northwest Territories',
  NU: 'Nunavut',
  ON: 'Ontario',
  PE: 'Prince Edward Island, PEI',
  QC: 'Quebec, PQ',
  SK: 'Saskatchewan',
  YT: 'Yukon, Yukon Territory',
}

const codeByName: ReadonlyMap<string, string> = new Map(
  Object.entries(namesByCode).flatMap(([code, names]) =>
    [code, ...names.split(',')].map((name) => [normalizeName(name), code] as const),
  ),
)
