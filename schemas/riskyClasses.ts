/** Classes of addresses that weigh in risk: each has a weight in risk_weights. */
export const riskyClasses = ['gambling', 'market', 'mixer', 'scam', 'hack', 'ransomware', 'extremism', 'blacklisted', 'sanctioned'] as const
