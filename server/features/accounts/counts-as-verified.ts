/**
 * Whether an account counts as one of a verified address. Those made before addresses were verified do for 90 days
 * (product decisions §8): until `verify_email_by`.
 */
export function countsAsVerified(
  person: { email_verified_at: Date | null; verify_email_by: Date | null },
  now: Date,
): boolean {
  return (
    person.email_verified_at !== null || (person.verify_email_by !== null && now < person.verify_email_by)
  );
}
