export const firstNames = [
  'Ana',
  'Ben',
  'Carla',
  'Dmitri',
  'Elena',
  'Frank',
  'Grace',
  'Hassan',
  'Inés',
  'James',
  'Keiko',
  'Liam',
  'María',
  'Noah',
  'Olga',
  'Paul',
  'Quinn',
  'Rosa',
  'Samuel',
  'Tanya',
  'Uma',
  'Victor',
  'Wendy',
  'Xavier',
  'Yusuf',
  'Zoë',
]

export const lastNames = [
  'Adams',
  'Brown',
  'Chen',
  'Dubois',
  'Evans',
  'Fischer',
  'García',
  'Hughes',
  'Ivanov',
  'Johnson',
  'Kim',
  'Lopez',
  'Müller',
  'Nguyen',
  "O'Brien",
  'Patel',
  'Quispe',
  'Ramirez',
  'Singh',
  'Tremblay',
  'Urban',
  'Vega',
  'Walker',
  'Xu',
  'Young',
  'Zhang',
  'van der Berg',
  'St. Clair',
]

/** Names of the states that issue plates and licenses, by code. */
export const stateNames: Readonly<Record<string, string>> = {
  CA: 'California',
  TX: 'Texas',
  OH: 'Ohio',
  TN: 'Tennessee',
  GA: 'Georgia',
  IL: 'Illinois',
  MO: 'Missouri',
  KS: 'Kansas',
  PA: 'Pennsylvania',
  WA: 'Washington',
  NV: 'Nevada',
  AR: 'Arkansas',
  ME: 'Maine',
  MI: 'Michigan',
}

export const states = Object.keys(stateNames)

export const trucks = [
  ['Freightliner', 'Cascadia'],
  ['Kenworth', 'T680'],
  ['Peterbilt', '579'],
  ['Volvo', 'VNL'],
  ['International', 'LT'],
] as const

export const vans = [
  ['Ford', 'Transit'],
  ['Mercedes-Benz', 'Sprinter'],
  ['Ram', 'ProMaster'],
] as const

export const electricVans = [
  ['Ford', 'E-Transit'],
  ['Rivian', 'EDV 700'],
] as const

export const trailerMakes = [
  ['Great Dane', 'Everest'],
  ['Utility', '3000R'],
  ['Wabash', 'DuraPlate'],
] as const

export const regions = ['North', 'South', 'East', 'West', 'Central', 'Coastal', 'Mountain', 'Plains', 'Lakes']
