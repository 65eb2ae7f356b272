"""dbt projects: manifests of several versions in, models and semantic models out."""
