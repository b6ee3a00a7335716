"""Human evaluation: ratings and their files, studies, inference about systems, and scores of any tool."""
