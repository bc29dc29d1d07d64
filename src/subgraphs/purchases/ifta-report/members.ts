/** Members of the International Fuel Tax Agreement: all US states but Alaska and Hawaii, and the Canadian provinces. */
const MEMBERS = new Set(
  `AL AZ AR CA CO CT DE FL GA ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD
  TN TX UT VT VA WA WV WI WY AB BC MB NB NL NS ON PE QC SK`.split(/\s+/),
)

/** Whether the fuel used in a jurisdiction is taxed by the agreement. */
export const isMember = (jurisdiction: string | null): boolean =>
  jurisdiction !== null && MEMBERS.has(jurisdiction)
